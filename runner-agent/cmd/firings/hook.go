package main

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

// hook is another service, to which messages are posted.
type hook struct {
	url, secret string
	server      *http.Server

	mu    sync.Mutex
	calls []call
}

// call is a message that came; signed is whether its signature is right.
type call struct {
	id     string
	signed bool
}

func openHook() (*hook, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &hook{url: "http://" + listener.Addr().String() + "/hook"}
	h.server = &http.Server{Handler: h}
	go func() { _ = h.server.Serve(listener) }() // ends when it is closed
	return h, nil
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	id, at := r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Timestamp")
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, call{id, r.Header.Get("Webhook-Signature") == "v1,"+h.signature(id+"."+at+"."+string(body))})
}

func (h *hook) signature(text string) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(h.secret, "whsec_"))
	if err != nil {
		return ""
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func (h *hook) came() []call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]call(nil), h.calls...)
}

func (h *hook) close() error { return h.server.Close() }
