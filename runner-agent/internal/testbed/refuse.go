package testbed

import "net/http"

// Refuse answers with a status, as the service does: a refusal is a problem document.
func Refuse(w http.ResponseWriter, status int) {
	if status >= http.StatusBadRequest {
		w.Header().Set("Content-Type", "application/problem+json")
	}
	w.WriteHeader(status)
}
