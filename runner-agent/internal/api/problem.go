package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// longestRetryAfter is the longest wait that a service may ask for, in seconds: a server that answers in its place must not
// silence the agent.
const longestRetryAfter = 600

// Problem is a refusal by the service (RFC 9457).
type Problem struct {
	Type     string       `json:"type"`
	Title    string       `json:"title"`
	Status   int          `json:"status"`
	Detail   string       `json:"detail,omitempty"`
	Instance string       `json:"instance,omitempty"`
	Errors   []FieldError `json:"errors,omitempty"`

	Request    string        `json:"-"` // what was asked
	RetryAfter time.Duration `json:"-"` // how long the service asks to wait; 0: it does not say
}

// FieldError names one field at fault.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the service refused %s: %d %s", p.Request, p.Status, p.Title)
	if p.Detail != "" {
		b.WriteString(": " + p.Detail)
	}
	for _, e := range p.Errors {
		fmt.Fprintf(&b, "; %s: %s", e.Field, e.Message)
	}
	return b.String()
}

// Unreachable says that no readable answer came: nothing is known of the request.
type Unreachable struct {
	Service string
	Err     error
}

func (u *Unreachable) Error() string {
	return fmt.Sprintf("the service at %s cannot be reached: %v", u.Service, u.Err)
}

func (u *Unreachable) Unwrap() error { return u.Err }

// Status is the status the service refused with, 0 for any other error.
func Status(err error) int {
	var p *Problem
	if errors.As(err, &p) {
		return p.Status
	}
	return 0
}

// RetryAfter is how long the service that refused asks to wait before the next try, 0 when it does not say.
func RetryAfter(err error) time.Duration {
	var p *Problem
	if errors.As(err, &p) {
		return p.RetryAfter
	}
	return 0
}

// KeyRefused says that the agent's key is revoked or unknown.
func KeyRefused(err error) bool { return Status(err) == http.StatusUnauthorized }

// Transient says that the same request may succeed later.
func Transient(err error) bool {
	switch s := Status(err); {
	case s == http.StatusRequestTimeout, s == http.StatusTooManyRequests, s >= 500:
		return true
	case s != 0:
		return false
	}
	return err != nil
}

func isProblem(res *http.Response) bool {
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return err == nil && kind == "application/problem+json"
}

func problemOf(res *http.Response, method, path string) error {
	p := &Problem{Request: method + " " + path}
	text, err := io.ReadAll(io.LimitReader(res.Body, problemBytes))
	if err == nil && strings.Contains(res.Header.Get("Content-Type"), "json") {
		// Not a problem document after all: the status alone has to do.
		_ = json.Unmarshal(text, p)
	}
	p.Title, p.Detail = printable(p.Title), printable(p.Detail)
	for i, e := range p.Errors {
		p.Errors[i] = FieldError{printable(e.Field), printable(e.Message)}
	}
	p.Status = res.StatusCode
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		p.RetryAfter = time.Duration(min(seconds, longestRetryAfter)) * time.Second
	}
	if p.Title == "" {
		p.Title = http.StatusText(res.StatusCode)
	}
	return p
}

// printable is a text of the service without what would steer the terminal on which its owner reads it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
