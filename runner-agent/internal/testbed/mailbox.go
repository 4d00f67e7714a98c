package testbed

import (
	"bytes"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/textproto"
	"strings"
	"sync"
	"time"
)

// Received is a mail that a Mailbox took.
type Received struct {
	MessageID, To, Subject, Text string
	At                           time.Time
}

// Mailbox is a mail server (SMTP) on loopback that keeps what it is sent.
type Mailbox struct {
	// Lose, if it is not nil, is asked once a mail is kept; true: its sender never hears that it was, and the connection ends.
	Lose func(from net.Addr, m Received) bool

	listener net.Listener
	mu       sync.Mutex
	mails    []Received
}

// OpenMailbox listens on a free port.
func OpenMailbox(lose func(from net.Addr, m Received) bool) (*Mailbox, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &Mailbox{Lose: lose, listener: listener}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_ = b.serve(c) // who breaks off sends again
			}()
		}
	}()
	return b, nil
}

// Port is where it listens.
func (b *Mailbox) Port() int { return b.listener.Addr().(*net.TCPAddr).Port }

// Close takes no more.
func (b *Mailbox) Close() error { return b.listener.Close() }

// Mails are all that came so far, in their order.
func (b *Mailbox) Mails() []Received {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Received(nil), b.mails...)
}

func (b *Mailbox) serve(c net.Conn) error {
	said := textproto.NewConn(c)
	if err := said.PrintfLine("220 mailbox"); err != nil {
		return err
	}
	to := ""
	for {
		line, err := said.ReadLine()
		if err != nil {
			return err
		}
		verb, rest, _ := strings.Cut(line, " ")
		answer := "250 ok"
		switch strings.ToUpper(verb) {
		case "RCPT":
			_, address, _ := strings.Cut(rest, "<")
			to, _, _ = strings.Cut(address, ">")
		case "DATA":
			kept, err := b.take(said, to)
			if err != nil {
				return err
			}
			if b.Lose != nil && b.Lose(c.RemoteAddr(), kept) {
				return nil
			}
		case "QUIT":
			return said.PrintfLine("221 bye")
		case "EHLO", "HELO", "MAIL", "RSET", "NOOP":
		default:
			answer = "502 not known"
		}
		if err := said.PrintfLine("%s", answer); err != nil {
			return err
		}
	}
}

// take reads a mail and keeps it.
func (b *Mailbox) take(said *textproto.Conn, to string) (Received, error) {
	if err := said.PrintfLine("354 go on"); err != nil {
		return Received{}, err
	}
	content, err := said.ReadDotBytes()
	if err != nil {
		return Received{}, err
	}
	read, err := mail.ReadMessage(bytes.NewReader(content))
	if err != nil {
		return Received{}, fmt.Errorf("no mail: %w", err)
	}
	body := read.Body
	if strings.EqualFold(read.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return Received{}, err
	}
	m := Received{MessageID: strings.Trim(read.Header.Get("Message-ID"), "<>"), To: to, Subject: read.Header.Get("Subject"), Text: string(text), At: time.Now()}
	b.mu.Lock()
	b.mails = append(b.mails, m)
	b.mu.Unlock()
	return m, nil
}
