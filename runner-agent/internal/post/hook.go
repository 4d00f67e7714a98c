package post

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Hook is another service, to which a webhook posts messages.
type Hook struct {
	Secret string // by which calls must be signed

	listener net.Listener
	server   *http.Server
	mu       sync.Mutex
	calls    []Call
}

// Call is a message that came; Signed is whether its signature is right.
type Call struct {
	ID     string
	Signed bool
	Body   string
}

// OpenHook listens on an address of loopback, such as 127.0.0.1:0 for any free port.
func OpenHook(address, secret string) (*Hook, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	h := &Hook{Secret: secret, listener: listener}
	h.server = &http.Server{Handler: h}
	go func() { _ = h.server.Serve(listener) }() // ends when it is closed
	return h, nil
}

// Address is where it listens.
func (h *Hook) Address() string { return h.listener.Addr().String() }

// URL is what a webhook calls.
func (h *Hook) URL() string { return "http://" + h.Address() + "/hook" }

func (h *Hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	id, at := r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Timestamp")
	h.mu.Lock()
	defer h.mu.Unlock()
	signed := r.Header.Get("Webhook-Signature") == "v1,"+h.signature(id+"."+at+"."+string(body))
	h.calls = append(h.calls, Call{ID: id, Signed: signed, Body: string(body)})
}

func (h *Hook) signature(text string) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(h.Secret, "whsec_"))
	if err != nil {
		return ""
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Calls are all that came so far, in their order.
func (h *Hook) Calls() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Call(nil), h.calls...)
}

// Close takes no more.
func (h *Hook) Close() error { return h.server.Close() }
