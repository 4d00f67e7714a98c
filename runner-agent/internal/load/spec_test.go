package load

import (
	"strings"
	"testing"
	"time"
)

func TestSpec_refusals(t *testing.T) {
	ok := Spec{Rate: 10, Duration: time.Second, Target: Target{URL: "http://127.0.0.1:8080/"}}
	if err := ok.WithDefaults().Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*Spec)
		says   string
	}{
		{"no rate", func(s *Spec) { s.Rate = 0 }, "rate (hits/s) is 0"},
		{"a closed load with a rate", func(s *Spec) { s.Profile, s.Connections = Closed, 5 }, "a closed load has no rate"},
		{"a closed load without connections", func(s *Spec) { s.Profile, s.Rate = Closed, 0 }, "connections is 0"},
		{"unknown profile", func(s *Spec) { s.Profile = "sudden" }, "profile is \"sudden\""},
		{"rate over the cap", func(s *Spec) { s.Rate = 50_001 }, "rate (hits/s) is 50001"},
		{"too fine a rate", func(s *Spec) { s.Rate = 1.0005 }, "thousandth"},
		{"too long", func(s *Spec) { s.Duration = 61 * time.Minute }, "duration is 1h1m0s"},
		{"too many hits", func(s *Spec) { s.Rate, s.Duration = 50_000, 30*time.Minute }, "more than the cap of 20000000"},
		{"not one hit", func(s *Spec) { s.Rate = 0.5 }, "not even one hit"},
		{"too many workers", func(s *Spec) { s.MaxWorkers = 20_000 }, "maxWorkers is 20000"},
		{"too many connections", func(s *Spec) { s.Connections = 20_000 }, "connections is 20000"},
		{"timeout beyond the histogram", func(s *Spec) { s.Timeout = 5 * time.Minute }, "timeout is 5m0s"},
		{"large body", func(s *Spec) { s.Target.Body = make([]byte, MaxBody+1) }, "body of 1048577 bytes"},
		{"public address", func(s *Spec) { s.Target.URL = "http://8.8.8.8/" }, "neither loopback nor private"},
		{"cloud metadata", func(s *Spec) { s.Target.URL = "http://169.254.169.254/latest" }, "neither loopback nor private"},
		{"public address in other clothes", func(s *Spec) { s.Target.URL = "http://[::ffff:8.8.8.8]/" }, "neither loopback nor private"},
		{"another scheme", func(s *Spec) { s.Target.URL = "ftp://127.0.0.1/" }, "must be http://"},
		{"lean over TLS", func(s *Spec) { s.Target.URL, s.Transport = "https://127.0.0.1/", RawHTTP }, "plain HTTP/1.1 only"},
		{"lean HTTP/2", func(s *Spec) { s.HTTP, s.Transport = HTTP2, RawHTTP }, "plain HTTP/1.1 only"},
		{"unknown transport", func(s *Spec) { s.Transport = "fast" }, "transport is \"fast\""},
		{"unknown version", func(s *Spec) { s.HTTP = "3" }, "http is \"3\""},
		{"credentials", func(s *Spec) { s.Target.URL = "http://a:b@127.0.0.1/" }, "must be http://"},
		{"no host", func(s *Spec) { s.Target.URL = "/io" }, "must be http://"},
	} {
		s := ok
		c.change(&s)
		if err := s.WithDefaults().Validate(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.says)
		}
	}
	for _, url := range []string{"http://10.1.2.3:80/", "http://192.168.0.9/", "http://[::1]:9/", "http://localhost:1/", "http://[fd00::1]/"} {
		if err := checkTarget(t.Context(), url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	if err := refuseForeign("tcp", "93.184.216.34:80", nil); err == nil {
		t.Error("a dial to a public address is not refused")
	}
}

func TestSpec_allProblemsAtOnce(t *testing.T) {
	err := Spec{Target: Target{URL: "http://8.8.8.8/"}}.WithDefaults().Validate(t.Context())
	for _, says := range []string{"rate", "duration", "8.8.8.8"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not mention %s", err, says)
		}
	}
}
