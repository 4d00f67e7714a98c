package main

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
)

func TestWire_counts_what_is_transferred_and_waits_for_what_is_open(t *testing.T) {
	w := newWire()
	w.reset()
	w.hear(&network.EventRequestWillBeSent{RequestID: "1", Type: network.ResourceTypeDocument})
	w.hear(&network.EventRequestWillBeSent{RequestID: "2", Type: network.ResourceTypeScript})
	w.hear(&network.EventRequestWillBeSent{RequestID: "3", Type: network.ResourceTypeEventSource}) // never ends
	w.hear(&network.EventLoadingFinished{RequestID: "1", EncodedDataLength: 1500})
	if left := w.left(); left != quiet {
		t.Errorf("a script is still open: %s", left)
	}
	w.hear(&network.EventLoadingFailed{RequestID: "2"})
	w.last = time.Now().Add(-2 * quiet)
	if left := w.left(); left > 0 {
		t.Errorf("nothing is open for long: %s", left)
	}
	if requests, kb := w.counted(); requests != 2 || kb != 1.5 {
		t.Errorf("%d requests, %v kB", requests, kb)
	}
	w.reset()
	if requests, kb := w.counted(); requests != 0 || kb != 0 || w.left() < quiet/2 {
		t.Errorf("begun anew: %d requests, %v kB", requests, kb)
	}
}
