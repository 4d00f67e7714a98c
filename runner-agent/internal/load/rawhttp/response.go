package rawhttp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxBody is the most bytes that a response body may have. Limits protect the load process:
// a response beyond one is an error.
const MaxBody = 256 << 20

const (
	maxHead     = 64 << 10 // bytes of status line and header, and of trailers
	maxInterim  = 5        // 1xx responses before the real one
	firstBuffer = 4 << 10  // bytes per connection; grows while a head needs it
)

// Malformed is a response that is not HTTP/1.1, or beyond a limit.
type Malformed string

func (m Malformed) Error() string { return "malformed answer: " + string(m) }

// Malformedf formats one.
func Malformedf(format string, args ...any) error { return Malformed(fmt.Sprintf(format, args...)) }

// responseHead is what the status line and the header say about the rest.
type responseHead struct {
	status   int
	text     string // status and reason; empty for an expected status
	length   int64  // of the body; -1: chunked, or until the server closes
	chunked  bool
	close    bool   // the server will not take another request on this connection
	location string // where a redirect leads; only when these are followed
}

// responseReader reads responses from one connection. Its source may return fewer
// bytes than fit; a byte after the response stays in the buffer.
type responseReader struct {
	src      io.Reader
	buf      []byte
	from, to int // buf[from:to] is received and not yet read

	reading *Reading // of the response that is read
	kept    []byte   // of the last body; valid until the next is read
}

// read reads one response to its end. It counts the body, and throws away what is not to be kept.
// An EOF before the first byte is io.EOF, later io.ErrUnexpectedEOF.
func (r *responseReader) read(headRequest bool) (responseHead, int64, error) {
	for range maxInterim + 1 {
		h, err := r.head()
		if err != nil {
			return h, 0, err
		}
		if h.status == 101 {
			return h, 0, Malformedf("an upgrade to another protocol that nobody asked for")
		}
		if h.status >= 200 {
			got, err := r.body(&h, headRequest)
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return h, got, err
		}
	}
	return responseHead{}, 0, Malformedf("more than %d interim answers", maxInterim)
}

func (r *responseReader) body(h *responseHead, headRequest bool) (int64, error) {
	r.kept = r.kept[:0]
	switch {
	case headRequest, h.status == 204, h.status == 304:
		return 0, nil
	case h.chunked:
		return r.chunks()
	case h.length >= 0:
		return h.length, r.discard(h.length)
	}
	h.close = true
	return r.rest()
}

// head reads a status line and its header to the empty line.
func (r *responseReader) head() (responseHead, error) {
	left := maxHead
	line, err := r.line(&left)
	if err != nil {
		return responseHead{}, err
	}
	h, err := statusLine(line)
	if err != nil {
		return h, err
	}
	if !r.reading.expects(h.status) {
		h.text = string(line[9:min(len(line), 300)])
	}
	framing := framing{h: &h, keepAlive: line[7] == '1', follow: r.reading.Follow}
	for {
		line, err := r.line(&left)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return h, err
		}
		if len(line) == 0 {
			framing.end()
			return h, nil
		}
		if err := framing.field(line); err != nil {
			return h, err
		}
	}
}

// statusLine reads "HTTP/1.x ddd reason".
func statusLine(line []byte) (responseHead, error) {
	h := responseHead{length: -1}
	ok := len(line) >= 12 && string(line[:7]) == "HTTP/1." && (line[7] == '0' || line[7] == '1') && line[8] == ' ' &&
		(len(line) == 12 || line[12] == ' ')
	for _, c := range line[min(9, len(line)):min(12, len(line))] {
		ok = ok && c >= '0' && c <= '9'
		h.status = 10*h.status + int(c-'0')
	}
	if !ok {
		return h, Malformedf("status line %q", line[:min(len(line), 60)])
	}
	if h.status < 100 || h.status > 599 {
		return h, Malformedf("status %q", line[9:min(len(line), 60)])
	}
	return h, nil
}

// chunks reads a chunked body with its trailers.
func (r *responseReader) chunks() (int64, error) {
	var total int64
	for {
		left := 4 << 10 // of a chunk's size and extensions
		line, err := r.line(&left)
		if err != nil {
			return total, err
		}
		size, err := chunkSize(line)
		if err != nil {
			return total, err
		}
		if size == 0 {
			break
		}
		if total += size; total > MaxBody {
			return total, Malformedf("body over %d bytes", MaxBody)
		}
		if err := r.discard(size); err != nil {
			return total, err
		}
		left = 2
		if line, err = r.line(&left); err != nil {
			return total, err
		}
		if len(line) != 0 {
			return total, Malformedf("chunk of %d bytes does not end where it says", size)
		}
	}
	left := maxHead
	for {
		line, err := r.line(&left)
		if err != nil || len(line) == 0 {
			return total, err
		}
		if _, _, err := fieldOf(line); err != nil {
			return total, err
		}
	}
}

func chunkSize(line []byte) (int64, error) {
	digits, _, _ := bytes.Cut(line, []byte(";"))
	digits = bytes.TrimRight(digits, " \t")
	var size int64
	for _, c := range digits {
		var d byte
		switch {
		case c >= '0' && c <= '9':
			d = c - '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			d = c | 0x20 - 'a' + 10
		default:
			return 0, Malformedf("chunk size %q", line[:min(len(line), 60)])
		}
		if size = size<<4 | int64(d); size > MaxBody {
			return 0, Malformedf("chunk over %d bytes", MaxBody)
		}
	}
	if len(digits) == 0 {
		return 0, Malformedf("chunk without a size")
	}
	return size, nil
}

// line returns the next line without its end. It is valid until the next read.
// left is lowered by what was read; there are no lines beyond it.
func (r *responseReader) line(left *int) ([]byte, error) {
	seen := 0
	for {
		if end := bytes.IndexByte(r.buf[r.from+seen:r.to], '\n'); end >= 0 {
			line := r.buf[r.from : r.from+seen+end]
			if *left -= len(line) + 1; *left < 0 {
				return nil, Malformedf("header over its limit")
			}
			r.from += len(line) + 1
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			return line, nil
		}
		if seen = r.to - r.from; seen > *left {
			return nil, Malformedf("header over its limit")
		}
		if err := r.fill(); err != nil {
			if errors.Is(err, io.EOF) && seen > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// fill receives at least one byte more.
func (r *responseReader) fill() error {
	switch {
	case r.from == r.to:
		r.from, r.to = 0, 0
	case r.to == len(r.buf) && r.from > 0:
		r.to = copy(r.buf, r.buf[r.from:r.to])
		r.from = 0
	case r.to == len(r.buf):
		r.buf = append(r.buf, make([]byte, len(r.buf))...)
	}
	n, err := r.src.Read(r.buf[r.to:])
	r.to += n
	if n > 0 {
		return nil // an error comes back with the next read
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

func (r *responseReader) discard(n int64) error {
	for {
		have := min(n, int64(r.to-r.from))
		r.keepNext(int(have))
		r.from += int(have)
		if n -= have; n == 0 {
			return nil
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
}

// keepNext keeps the next n bytes of a body, as far as they are to be.
func (r *responseReader) keepNext(n int) {
	if room := r.reading.MostInspected - len(r.kept); room > 0 {
		r.kept = append(r.kept, r.buf[r.from:r.from+min(n, room)]...)
	}
}

// rest reads to the end of the connection.
func (r *responseReader) rest() (total int64, err error) {
	for {
		total += int64(r.to - r.from)
		r.keepNext(r.to - r.from)
		r.from = r.to
		if total > MaxBody {
			return total, Malformedf("body over %d bytes", MaxBody)
		}
		if err := r.fill(); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return total, err
		}
	}
}
