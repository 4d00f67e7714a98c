package post

import "testing"

func TestHook_tellsTrueSignaturesFromOthers(t *testing.T) {
	h := &Hook{Secret: "whsec_c2VjcmV0"} // "secret", as of openssl dgst -sha256 -hmac secret -binary | base64
	if got, want := h.signature("msg_1.1.{}"), "kW+83cjD04uWm7Qber/sPiCRVJ9ljbsrg8ALKAx2qMc="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
