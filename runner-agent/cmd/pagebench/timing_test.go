package main

import "testing"

func TestAccessLog_gives_address_and_ms_of_what_was_got(t *testing.T) {
	const text = `19:00:00.000 INFO  AccessLog: 127.0.0.1 - - [21/Nov/2026:19:00:00 +0000] "GET /series/ser_a HTTP/1.1" 200 12345 17
19:00:00.100 INFO  AccessLog: 127.0.0.1 - - [21/Nov/2026:19:00:00 +0000] "GET /compare?a=x&b=y HTTP/1.1" 200 - 3
19:00:00.200 INFO  Other: nothing
`
	all := accessLog(text)
	if len(all) != 2 || all[0] != (timedRequest{"/series/ser_a", 17}) || all[1] != (timedRequest{"/compare?a=x&b=y", 3}) {
		t.Errorf("%+v", all)
	}
}
