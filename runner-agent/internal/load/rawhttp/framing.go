package rawhttp

import "bytes"

// framing finds in the header fields where a response ends. It refuses what two readers
// could understand differently: the next response would be read from the middle of this one.
type framing struct {
	h         *responseHead
	keepAlive bool // by version, until a field says otherwise
	coded     bool // there was a Transfer-Encoding
	follow    bool // where a redirect leads is of interest
}

func (f *framing) field(line []byte) error {
	name, value, err := fieldOf(line)
	if err != nil {
		return err
	}
	switch len(name) { // most fields are none of these
	case len("Location"):
		if f.follow && bytes.EqualFold(name, []byte("Location")) {
			f.h.location = string(value)
		}
	case len("Connection"):
		if bytes.EqualFold(name, []byte("Connection")) {
			f.connection(value)
		}
	case len("Content-Length"):
		if bytes.EqualFold(name, []byte("Content-Length")) {
			return f.contentLength(value)
		}
	case len("Transfer-Encoding"):
		if bytes.EqualFold(name, []byte("Transfer-Encoding")) {
			if f.coded || !bytes.EqualFold(value, []byte("chunked")) {
				return Malformedf("transfer coding %q, only chunked is known", value[:min(len(value), 60)])
			}
			f.coded = true
		}
	}
	return nil
}

func (f *framing) contentLength(value []byte) error {
	var n int64
	for _, c := range value {
		if c < '0' || c > '9' {
			return Malformedf("Content-Length %q", value[:min(len(value), 60)])
		}
		if n = 10*n + int64(c-'0'); n > MaxBody {
			return Malformedf("body over %d bytes", MaxBody)
		}
	}
	if len(value) == 0 || f.h.length >= 0 && f.h.length != n {
		return Malformedf("Content-Length %q after %d", value[:min(len(value), 60)], f.h.length)
	}
	f.h.length = n
	return nil
}

func (f *framing) connection(value []byte) {
	for len(value) > 0 {
		var token []byte
		token, value, _ = bytes.Cut(value, []byte(","))
		token = bytes.TrimSpace(token)
		switch {
		case bytes.EqualFold(token, []byte("close")):
			f.h.close = true
		case bytes.EqualFold(token, []byte("keep-alive")):
			f.keepAlive = true
		}
	}
}

// end draws the conclusions once the header is complete.
func (f *framing) end() {
	h := f.h
	if f.coded {
		if h.length >= 0 { // two lengths: the chunks count, and nothing after them is trusted
			h.length, h.close = -1, true
		}
		h.chunked = true
	}
	h.close = h.close || !f.keepAlive
}

// fieldOf splits "Name: value". A folded line and a space before the colon are
// refused, as RFC 9112 §5.1 and §5.2 ask.
func fieldOf(line []byte) (name, value []byte, err error) {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || line[0] == ' ' || line[0] == '\t' || line[colon-1] == ' ' || line[colon-1] == '\t' {
		return nil, nil, Malformedf("header line %q", line[:min(len(line), 60)])
	}
	return line[:colon], bytes.Trim(line[colon+1:], " \t"), nil
}
