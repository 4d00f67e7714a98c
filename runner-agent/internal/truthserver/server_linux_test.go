package truthserver

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func serve(t *testing.T, b Behaviour) string {
	t.Helper()
	s, err := Listen("127.0.0.1:0", b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.URL()
}

func TestServer_doesWhatItDeclares(t *testing.T) {
	url := serve(t, Behaviour{Body: 1000, FailEvery: 4, DropEvery: 10})
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	got := map[string]int{}
	for range 40 {
		// A POST is not sent again, so that the requests are numbered as they are made.
		resp, err := client.Post(url, "text/plain", strings.NewReader("a body of its own"))
		if err != nil {
			got["dropped"]++
			continue
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || len(body) != 1000 {
			t.Errorf("%d bytes, %v", len(body), err)
		}
		got[resp.Status]++
	}
	// Of 40: every 10th dropped; of every 4th (10) those that are a 20th (2) were dropped instead.
	if want := map[string]int{"dropped": 4, "503 Service Unavailable": 8, "200 OK": 28}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestServer_holdsNoShorterThanDeclared(t *testing.T) {
	for name, awake := range map[string]bool{"sleeping": false, "awake": true} {
		t.Run(name, func(t *testing.T) { holdsNoShorterThanDeclared(t, awake) })
	}
}

func holdsNoShorterThanDeclared(t *testing.T, awake bool) {
	url := serve(t, Behaviour{Delay: Distribution{Kind: "uniform", A: time.Millisecond, B: 9 * time.Millisecond}, Awake: awake})
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var took []time.Duration
	var all sync.WaitGroup
	const n = 400
	for range 8 {
		all.Go(func() {
			for range n / 8 {
				began := time.Now()
				resp, err := client.Get(url)
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
				mu.Lock()
				took = append(took, time.Since(began))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	var holds []time.Duration
	for k := range uint64(n) {
		hold, _ := Behaviour{Delay: Distribution{Kind: "uniform", A: time.Millisecond, B: 9 * time.Millisecond}}.Hold(k)
		holds = append(holds, hold)
	}
	slices.Sort(holds)
	for i := range took { // in any order the i-th shortest cannot be shorter than the i-th hold
		if took[i] < holds[i] {
			t.Fatalf("the %d-th shortest of %d answers took %v, it was held for %v", i, n, took[i], holds[i])
		}
	}
}

func TestRequest_sizes(t *testing.T) {
	for _, c := range []struct {
		text string
		size int
		last bool
		ok   bool
	}{
		{"GET / HTTP/1.1\r\nHost: x\r\n", 0, false, true},
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET", 27, false, true},
		{"POST / HTTP/1.1\r\ncontent-LENGTH: 3\r\n\r\nab", 0, false, true},
		{"POST / HTTP/1.1\r\ncontent-LENGTH: 3\r\n\r\nabcd", 41, false, true},
		{"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 37, true, true},
		{"GET / HTTP/1.0\r\n\r\n", 18, true, true},
		{"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", 42, false, true},
		{"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 0, false, false},
		{"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 0, false, false},
	} {
		if size, last, ok := request([]byte(c.text)); size != c.size || last != c.last || ok != c.ok {
			t.Errorf("%q: %d %v %v", c.text, size, last, ok)
		}
	}
}
