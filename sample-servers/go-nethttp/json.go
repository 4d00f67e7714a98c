package main

import (
	"bytes"
	"encoding/json"
	"net/http"
)

type message struct {
	Message string `json:"message"`
}

// hello writes a small object as JSON.
func hello(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, message{"Hello, World!"})
}

// writeJSON answers with a value as JSON.
func writeJSON(w http.ResponseWriter, status int, value any) {
	text, err := encoded(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
}

// encoded is a value as JSON without white space. < and > stay as they are: json.Marshal would escape them.
func encoded(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
