package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Most of what an answer may have. A server that sends more is not measured any further.
const (
	maxHead     = 64 << 10  // bytes of status line and header, and of trailers
	maxAnswer   = 256 << 20 // bytes of one body
	maxInterim  = 5         // 1xx answers before the real one
	firstBuffer = 4 << 10   // bytes per connection; grows while a head needs it
)

// malformed is an answer that is not HTTP/1.1, or beyond the limits above.
type malformed string

func (m malformed) Error() string { return "malformed answer: " + string(m) }

func malformedf(format string, args ...any) error { return malformed(fmt.Sprintf(format, args...)) }

// answerHead is what framing needs of a head.
type answerHead struct {
	status  int
	text    string // status and reason; only of what is no success
	length  int64  // of the body; -1: chunked, or until the server closes
	chunked bool
	close   bool // the server will not take another request on this connection
}

// answerReader reads answers from one connection. Its source may return fewer
// bytes than fit; a byte after the answer stays in the buffer.
type answerReader struct {
	src  io.Reader
	buf  []byte
	r, w int // buf[r:w] is received and not yet read
}

// read reads one answer to its end. The body is counted and thrown away.
// An EOF before the first byte is io.EOF, later io.ErrUnexpectedEOF.
func (a *answerReader) read(headRequest bool) (answerHead, int64, error) {
	for range maxInterim + 1 {
		h, err := a.head()
		if err != nil {
			return h, 0, err
		}
		if h.status == 101 {
			return h, 0, malformedf("an upgrade to another protocol that nobody asked for")
		}
		if h.status >= 200 {
			got, err := a.body(&h, headRequest)
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return h, got, err
		}
	}
	return answerHead{}, 0, malformedf("more than %d interim answers", maxInterim)
}

func (a *answerReader) body(h *answerHead, headRequest bool) (int64, error) {
	switch {
	case headRequest, h.status == 204, h.status == 304:
		return 0, nil
	case h.chunked:
		return a.chunks()
	case h.length >= 0:
		return h.length, a.discard(h.length)
	}
	h.close = true
	return a.rest()
}

// head reads a status line and its header to the empty line.
func (a *answerReader) head() (answerHead, error) {
	left := maxHead
	line, err := a.line(&left)
	if err != nil {
		return answerHead{}, err
	}
	h, err := statusLine(line)
	if err != nil {
		return h, err
	}
	framing := framing{h: &h, keepAlive: line[7] == '1'}
	for {
		line, err := a.line(&left)
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
func statusLine(line []byte) (answerHead, error) {
	h := answerHead{length: -1}
	ok := len(line) >= 12 && string(line[:7]) == "HTTP/1." && (line[7] == '0' || line[7] == '1') && line[8] == ' ' &&
		(len(line) == 12 || line[12] == ' ')
	for _, c := range line[min(9, len(line)):min(12, len(line))] {
		ok = ok && c >= '0' && c <= '9'
		h.status = 10*h.status + int(c-'0')
	}
	if !ok {
		return h, malformedf("status line %q", line[:min(len(line), 60)])
	}
	if h.status < 100 || h.status > 599 {
		return h, malformedf("status %q", line[9:min(len(line), 60)])
	}
	if h.status < 200 || h.status > 299 {
		h.text = string(line[9:min(len(line), 300)])
	}
	return h, nil
}

// chunks reads a chunked body with its trailers.
func (a *answerReader) chunks() (int64, error) {
	var total int64
	for {
		left := 4 << 10 // of a chunk's size and extensions
		line, err := a.line(&left)
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
		if total += size; total > maxAnswer {
			return total, malformedf("body over %d bytes", maxAnswer)
		}
		if err := a.discard(size); err != nil {
			return total, err
		}
		left = 2
		if line, err = a.line(&left); err != nil {
			return total, err
		}
		if len(line) != 0 {
			return total, malformedf("chunk of %d bytes does not end where it says", size)
		}
	}
	left := maxHead
	for {
		line, err := a.line(&left)
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
			return 0, malformedf("chunk size %q", line[:min(len(line), 60)])
		}
		if size = size<<4 | int64(d); size > maxAnswer {
			return 0, malformedf("chunk over %d bytes", maxAnswer)
		}
	}
	if len(digits) == 0 {
		return 0, malformedf("chunk without a size")
	}
	return size, nil
}

// line returns the next line without its end. It is valid until the next read.
// left is lowered by what was read; there are no lines beyond it.
func (a *answerReader) line(left *int) ([]byte, error) {
	seen := 0
	for {
		if end := bytes.IndexByte(a.buf[a.r+seen:a.w], '\n'); end >= 0 {
			line := a.buf[a.r : a.r+seen+end]
			if *left -= len(line) + 1; *left < 0 {
				return nil, malformedf("header over its limit")
			}
			a.r += len(line) + 1
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			return line, nil
		}
		if seen = a.w - a.r; seen > *left {
			return nil, malformedf("header over its limit")
		}
		if err := a.fill(); err != nil {
			if errors.Is(err, io.EOF) && seen > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// fill receives at least one byte more.
func (a *answerReader) fill() error {
	switch {
	case a.r == a.w:
		a.r, a.w = 0, 0
	case a.w == len(a.buf) && a.r > 0:
		a.w = copy(a.buf, a.buf[a.r:a.w])
		a.r = 0
	case a.w == len(a.buf):
		a.buf = append(a.buf, make([]byte, len(a.buf))...)
	}
	n, err := a.src.Read(a.buf[a.w:])
	a.w += n
	if n > 0 {
		return nil // an error comes back with the next read
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

func (a *answerReader) discard(n int64) error {
	for {
		have := min(n, int64(a.w-a.r))
		a.r += int(have)
		if n -= have; n == 0 {
			return nil
		}
		if err := a.fill(); err != nil {
			return err
		}
	}
}

// rest reads to the end of the connection.
func (a *answerReader) rest() (total int64, err error) {
	for {
		total += int64(a.w - a.r)
		a.r = a.w
		if total > maxAnswer {
			return total, malformedf("body over %d bytes", maxAnswer)
		}
		if err := a.fill(); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return total, err
		}
	}
}
