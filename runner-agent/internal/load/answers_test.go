package load

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"loomboard.dev/agent/internal/answer"
	"loomboard.dev/agent/internal/testbed"
)

func statuses(codes ...int) *answer.Right {
	right := &answer.Right{}
	for _, code := range codes {
		right.Status = append(right.Status, answer.Range{From: code, To: code})
	}
	return right
}

func serving(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

// transports runs a test with both of them.
func transports(t *testing.T, spec Spec, test func(t *testing.T, x *transport)) {
	t.Helper()
	for _, kind := range []Transport{RawHTTP, Standard} {
		t.Run(string(kind), func(t *testing.T) {
			own := spec
			own.Transport, own.MaxWorkers = kind, 8
			test(t, newTestTransport(t, own))
		})
	}
}

func TestTransport_judgesAnswersAsTheWorkloadDoes(t *testing.T) {
	url := serving(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/form":
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		case "/json":
			fmt.Fprint(w, `{"id":7}`)
		case "/large":
			_, _ = w.Write(make([]byte, answer.MostBody+2))
		default:
			http.NotFound(w, r)
		}
	})
	sevenPointer := answer.Values{"/id": []byte("7")}
	for _, c := range []struct {
		name, path string
		success    *answer.Right
		code       int
		says       string
	}{
		{"a redirect that is a success", "/form", statuses(302), 302, ""},
		{"a status that is not there", "/none", statuses(404), 404, ""},
		{"another status", "/form", statuses(200, 303), wrongStatus + 302, "302 Found, must be 200, 303"},
		{"a redirect that is none", "/form", nil, wrongStatus + 302, "302 Found"},
		{"the right length", "/json", &answer.Right{Length: &answer.Length{Min: 8}}, 200, ""},
		{"another length", "/json", &answer.Right{Length: &answer.Length{Min: 9}}, wrongBody + 200, "answered 8 bytes, must be 9 bytes or more"},
		{"what it contains", "/json", &answer.Right{Contains: answer.Texts{`"id"`}}, 200, ""},
		{"what it does not contain", "/json", &answer.Right{Contains: answer.Texts{"name"}}, wrongBody + 200, `must contain "name"`},
		{"a JSON pointer", "/json", &answer.Right{JSON: sevenPointer}, 200, ""},
		{"a body of a wrong status is not looked into", "/none", &answer.Right{JSON: sevenPointer}, wrongStatus + 404, "404 Not Found, must be 2xx"},
		{"a body that is too long to look into", "/large", &answer.Right{Contains: answer.Texts{"\x00"}}, wrongBody + 200, "longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := Spec{Target: Target{URL: url + c.path}, Success: c.success}
			transports(t, spec, func(t *testing.T, x *transport) {
				for range 2 { // the second on a connection that is kept
					if got := x.hit(0, true); got.code != c.code || !strings.Contains(got.text, c.says) || (got.text == "") != (c.says == "") {
						t.Errorf("%+v, want %d %q", got, c.code, c.says)
					}
				}
			})
		})
	}
}

func TestTransport_followsRedirectsOnItsServer(t *testing.T) {
	foreign := serving(t, func(http.ResponseWriter, *http.Request) { t.Error("somebody else was asked") })
	url := serving(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/visits":
			w.Header().Set("Location", "done?of=1")
			w.WriteHeader(http.StatusSeeOther)
			fmt.Fprint(w, "see there")
		case "/done":
			fmt.Fprintf(w, "%s %s %q %s %s", r.Method, r.URL.RawQuery, body, r.Header.Get("X-Own"), r.Header.Get("Content-Type"))
		case "/again":
			http.Redirect(w, r, "/echo", http.StatusPermanentRedirect)
		case "/echo":
			fmt.Fprintf(w, "%s %s", r.Method, body)
		case "/circle":
			http.Redirect(w, r, "/circle", http.StatusFound)
		case "/away":
			http.Redirect(w, r, foreign, http.StatusFound)
		}
	})
	for _, c := range []struct{ path, body, says string }{
		{"/visits", `GET of=1 "" yes `, ""},
		{"/again", "POST a=b", ""},
		{"/circle", "", "more than 5 redirects"},
		{"/away", "", "which is another server"},
	} {
		t.Run(c.path, func(t *testing.T) {
			spec := Spec{Target: Target{Method: "POST", URL: url + c.path, Body: []byte("a=b"), Follow: true,
				Header: map[string]string{"X-Own": "yes", "Content-Type": "text/plain"}}, Success: &answer.Right{Body: &c.body}}
			transports(t, spec, func(t *testing.T, x *transport) {
				for range 2 {
					got := x.hit(0, true)
					if c.says == "" && got.code != 200 || c.says != "" && (got.code != codeProtocol || !strings.Contains(got.text, c.says)) {
						t.Errorf("%+v, want %q", got, c.says)
					}
					if c.path == "/visits" && got.bytesIn != int64(len("see there")+len(c.body)) {
						t.Errorf("%d bytes came in", got.bytesIn)
					}
				}
			})
		})
	}
}

// arrivals are the requests that a server has seen.
type arrivals struct {
	mu  sync.Mutex
	all []string
}

func (a *arrivals) add(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, what)
}

func TestAttack_sendsRowsInTurn(t *testing.T) {
	t.Parallel()
	var rows []Row
	for i := range 3 {
		rows = append(rows, Row{Path: fmt.Sprintf("/owners/%d?x=1", i), Header: map[string]string{"X-Row": fmt.Sprint(i)}, Body: fmt.Appendf(nil, "row=%d", i)})
	}
	for _, kind := range []Transport{RawHTTP, Standard} {
		for _, profile := range []Profile{Even, Closed} {
			t.Run(fmt.Sprintf("%s %s", kind, profile), func(t *testing.T) {
				t.Parallel()
				seen := &arrivals{}
				url := serving(t, func(_ http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					seen.add(fmt.Sprintf("%s %s %s %s", r.Method, r.URL, r.Header.Get("X-Row"), body))
				})
				spec := Spec{Target: Target{Method: "POST", URL: url + "/first", Rows: rows}, Transport: kind, Profile: profile,
					Duration: time.Second, MaxWorkers: 1, Connections: 1}
				if profile == Even {
					spec.Rate = 100
				}
				step := attack(t, spec)
				if step.Rows != 3 || step.Spec.Target.Rows != nil || step.Counts.Failed > 0 {
					t.Errorf("%d rows, %d in the spec, %+v, %v", step.Rows, len(step.Spec.Target.Rows), step.Counts, step.Errors)
				}
				if int64(len(seen.all)) != step.Counts.Sent || len(seen.all) < 4 {
					t.Fatalf("%d arrived of %d", len(seen.all), step.Counts.Sent)
				}
				for k, got := range seen.all {
					if i := k % 3; got != fmt.Sprintf("POST /owners/%d?x=1 %d row=%d", i, i, i) {
						t.Fatalf("hit %d was %q", k, got)
					}
				}
			})
		}
	}
}

// Every third answer is a redirect to the login, as when a session has ended.
func TestAttack_countsWrongAnswersByWhatIsWrong(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	n := 0
	url := serving(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch n++; n % 3 {
		case 0:
			http.Redirect(w, r, "/login", http.StatusFound)
		case 1:
			fmt.Fprint(w, "welcome")
		default:
			fmt.Fprint(w, "who are you")
		}
	})
	step := attack(t, Spec{Target: Target{URL: url}, Rate: 100, Duration: time.Second, Success: &answer.Right{Contains: answer.Texts{"welcome"}}})
	right, redirected, other := int64(n+2)/3, int64(n)/3, int64(n+1)/3
	if c := step.Counts; n < 3 || c.Completed != right || c.Failed != redirected+other {
		t.Errorf("%d hits: %+v", n, c)
	}
	if got := classOf(step, ClassStatus); got.Count != redirected || got.Sample != "302 Found, must be 2xx" {
		t.Errorf("%+v", got)
	}
	if got := classOf(step, ClassCheck); got.Count != other || !strings.Contains(got.Sample, `must contain "welcome"`) {
		t.Errorf("%+v", got)
	}
	if step.Codes["200"] != right+other || step.Codes["302"] != redirected {
		t.Errorf("%v", step.Codes)
	}
}

// The server answers at once. What the check of a body takes is no part of the service time: here it is a pause of its own.
func TestTransport_leavesTheLookAtABodyOutOfTheLatency(t *testing.T) {
	a := &attackRun{recorder: aRecorder(), looked: []uint32{0, uint32(5 * time.Millisecond)}}
	a.take(&vegeta.Result{Seq: 1, Code: 200, Latency: 7 * time.Millisecond}, time.Second)
	if got := a.recorder.open[0].service.Max(); !near(got, 2*time.Millisecond) {
		t.Errorf("service time %v, want 2 ms", time.Duration(got))
	}
	url := serving(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<19)) })
	spec := Spec{Target: Target{URL: url}, Success: &answer.Right{Pattern: "(a|b)*c"}}
	transports(t, spec, func(t *testing.T, x *transport) {
		began := time.Now()
		got := x.hit(0, true)
		if all := time.Since(began); got.looked <= 0 || got.looked >= all {
			t.Errorf("looked for %v of %v", got.looked, all)
		}
	})
}

func TestValidate_refusesRowsThatLeadElsewhereAndTooMuch(t *testing.T) {
	spec := Spec{Target: Target{URL: "http://127.0.0.1:1/"}, Rate: 1, Duration: time.Second, Success: &answer.Right{Pattern: "("}}
	spec.Target.Rows = slices.Repeat([]Row{{Path: "/", Body: make([]byte, 1000)}}, MaxRows+1)
	err := spec.WithDefaults().Validate(t.Context())
	for _, says := range []string{"10001 rows are more than the cap", "bytes are over the cap", "success: pattern"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, must say %q", err, says)
		}
	}
	for _, path := range []string{"", "x", "//elsewhere/", "http://elsewhere/"} {
		spec := Spec{Target: Target{URL: "http://127.0.0.1:1/", Rows: []Row{{Path: path}}}}
		if _, err := spec.Target.messages(); err == nil {
			t.Errorf("row %q is taken", path)
		}
	}
}

// BenchmarkHit compares what a plain GET costs with a POST of headers, a body and a status of its own, of one row in a thousand,
// and with a mix of three plain GETs.
// The server reads and answers by fixed lengths, so that what differs is the client's.
func BenchmarkHit(b *testing.B) {
	answering := func(answer string) func(net.Conn) {
		return func(c net.Conn) {
			buf := make([]byte, 4096)
			for {
				if _, err := c.Read(buf); err != nil {
					return
				}
				if _, err := io.WriteString(c, answer); err != nil {
					return
				}
			}
		}
	}
	var rows []Row
	for i := range 1000 {
		rows = append(rows, Row{Path: fmt.Sprintf("/owners/%d/visits/new", i), Body: []byte("_csrf=0123456789abcdef&date=2026-11-22&description=rabies+shot"),
			Header: map[string]string{"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded", "Cookie": "JSESSIONID=0123456789ABCDEF"}})
	}
	mix := weighted(7, []int{8, 1, 1}, []int{1, 1, 1})
	for _, c := range []struct {
		name, answer string
		spec         Spec
	}{
		{"GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", Spec{}},
		{"POST", "HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nok", Spec{Target: Target{Method: "POST", Rows: rows},
			Success: &answer.Right{Status: answer.Statuses{{From: 302, To: 302}}, Length: &answer.Length{Min: 1}}}},
		{"mix", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", Spec{Target: Target{Mix: &mix}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			spec := c.spec
			spec.Target.URL = "http://" + testbed.Listen(b, answering(c.answer)) + "/"
			spec.Rate, spec.Duration, spec.Timeout, spec.MaxWorkers = 1, time.Second, time.Minute, 1
			x, err := newTransport(b.Context(), spec.WithDefaults())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for k := uint64(0); b.Loop(); k++ {
				if got := x.hit(k, true); !answeredRightly(uint16(got.code)) {
					b.Fatal(got)
				}
			}
		})
	}
}
