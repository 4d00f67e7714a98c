package load

import (
	"crypto/tls"
	"net/http"
)

// Address is where a server answers, and by which version of HTTP.
type Address struct {
	URL  string // scheme, host and port
	HTTP string // HTTP1, which empty means, or HTTP2
}

// Transport speaks to it as load does.
func (a Address) Transport() *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(a.HTTP != HTTP2)
	protocols.SetHTTP2(a.HTTP == HTTP2)
	protocols.SetUnencryptedHTTP2(a.HTTP == HTTP2)
	return &http.Transport{
		Proxy:              nil,  // a proxy would be part of what is measured
		DisableCompression: true, // inflating would cost the load process
		Protocols:          protocols,
		// The server is on one's own machine, with a certificate that nobody signed;
		// nothing secret is sent to it.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
}
