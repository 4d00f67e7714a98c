package truthserver

import (
	"bytes"
	"container/heap"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const maxRequest = 2 << 20 // bytes of head and body

// conn is one kept connection; requests on it are answered one after the other.
type conn struct {
	fd      int
	in      []byte // received, not yet taken up
	holding bool
	last    bool // the client asked to close after this answer
	due     time.Duration
	outcome Outcome
	special []byte // instead of the usual answer
}

func (s *Server) drop(c *conn) {
	delete(s.conns, int32(c.fd))
	unix.Close(c.fd)
	c.fd = -1
}

// read takes in all that has arrived; when a request is complete, it is held.
func (s *Server) read(c *conn) {
	for c.fd >= 0 {
		if len(c.in) == cap(c.in) {
			c.in = append(c.in, make([]byte, cap(c.in))...)[:len(c.in)]
		}
		room := c.in[len(c.in):cap(c.in)]
		n, errno := call(unix.SYS_READ, c.fd, room)
		switch {
		case errno == unix.EAGAIN:
			return
		case errno == unix.EINTR:
			continue
		case errno != 0 || n == 0 || len(c.in)+n > maxRequest:
			s.drop(c)
			return
		}
		c.in = c.in[:len(c.in)+n]
		s.next(c)
		if n < len(room) { // all of it; what comes later is an edge of its own
			return
		}
	}
}

// call does not tell the scheduler: none of these calls can block.
func call(number uintptr, fd int, b []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall(number, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))),
		uintptr(len(b)))
	return int(n), errno
}

// next takes up the next complete request, unless one is being held.
func (s *Server) next(c *conn) {
	for c.fd >= 0 && !c.holding {
		size, last, ok := request(c.in)
		if !ok {
			s.drop(c)
			return
		}
		if size == 0 {
			return
		}
		special := bytes.HasPrefix(c.in, []byte("GET /truth "))
		c.in = c.in[:copy(c.in, c.in[size:])]
		c.last = last
		if special {
			c.special = s.truth()
			s.reply(c)
			continue
		}
		s.hold(c)
	}
}

func (s *Server) hold(c *conn) {
	var delay time.Duration
	delay, c.outcome = s.behaviour.Hold(s.requests)
	s.requests++
	if s.behaviour.Freeze > 0 {
		delay += s.behaviour.Frozen(time.Now())
	}
	if delay == 0 {
		s.reply(c)
		return
	}
	c.due, c.holding = s.heard+delay, true
	heap.Push(&s.due, c)
}

func (s *Server) reply(c *conn) {
	c.holding = false
	if c.fd < 0 { // the client has gone meanwhile
		return
	}
	text := c.special
	if c.special = nil; text == nil {
		if c.outcome == Dropped {
			s.drop(c)
			return
		}
		text = s.answers[c.outcome]
	}
	n, errno := call(unix.SYS_WRITE, c.fd, text)
	if errno != 0 || n < len(text) || c.last { // a client that does not read is no client
		s.drop(c)
		return
	}
	if len(c.in) > 0 {
		s.next(c)
	}
}

// request is the size of the first request in b, 0 while it is incomplete, and
// whether the client wants no more answers after this one.
func request(b []byte) (size int, last, ok bool) {
	end := bytes.Index(b, []byte("\r\n\r\n"))
	if end < 0 {
		return 0, false, true
	}
	body := 0
	line, rest, _ := bytes.Cut(b[:end], []byte("\r\n"))
	last = bytes.HasSuffix(line, []byte(" HTTP/1.0"))
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\r\n"))
		// Most header lines of load generators are distinguished by their first letter.
		if len(line) < 10 || line[0]|0x20 != 'c' && line[0]|0x20 != 't' {
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("content-length")):
			n, err := strconv.ParseUint(string(value), 10, 32)
			if err != nil {
				return 0, false, false
			}
			body = int(n)
		case bytes.EqualFold(name, []byte("transfer-encoding")):
			return 0, false, false // no load generator needs it
		case bytes.EqualFold(name, []byte("connection")):
			last = bytes.EqualFold(value, []byte("close")) || last && !bytes.EqualFold(value, []byte("keep-alive"))
		}
	}
	if end+4+body > len(b) {
		return 0, false, end+4+body <= maxRequest
	}
	return end + 4 + body, last, true
}

// held is a heap, what is due earliest first.
type held []*conn

func (h held) Len() int           { return len(h) }
func (h held) Less(i, j int) bool { return h[i].due < h[j].due }
func (h held) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *held) Push(c any)        { *h = append(*h, c.(*conn)) }
func (h *held) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
