package workload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"loomboard.dev/agent/internal/answer"
	"loomboard.dev/agent/internal/load"
)

const askTimeout = 30 * time.Second

// mostAnswer is read of an answer at most: a server may never come to an end.
const mostAnswer = 64 << 20

// asker sends single requests to one server.
type asker struct {
	base   string
	client *http.Client
}

// newAsker takes redirects for answers, or follows them as the load core does.
func newAsker(at load.Address, follows bool) asker {
	client := &http.Client{Timeout: askTimeout, Transport: at.Transport(), CheckRedirect: noRedirect}
	if follows {
		client.CheckRedirect = sameServer
	}
	return asker{strings.TrimSuffix(at.URL, "/"), client}
}

func (a asker) close() { a.client.CloseIdleConnections() }

// noRedirect takes a redirect as the answer: following it would measure, or ask,
// somebody else.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func sameServer(next *http.Request, before []*http.Request) error {
	switch {
	case next.URL.Scheme != before[0].URL.Scheme || next.URL.Host != before[0].URL.Host:
		return fmt.Errorf("a redirect to %s leads to another server", next.URL)
	case len(before) > load.MaxRedirects:
		return fmt.Errorf("more than %d redirects", load.MaxRedirects)
	}
	return nil
}

// answered is what came of a request.
type answered struct {
	*http.Response
	body  []byte // cut after one byte more than is looked into
	bytes int64  // all of it, mostAnswer if it has as many or more
	took  time.Duration
}

func (a asker) ask(ctx context.Context, r Request) (answered, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, a.base+r.Target, strings.NewReader(string(r.Body)))
	if err != nil {
		return answered{}, err
	}
	for name, value := range r.Header {
		req.Header.Set(name, value)
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	began := time.Now()
	res, err := a.client.Do(req)
	if err != nil {
		return answered{}, withoutAddress(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, answer.MostBody+1))
	if err != nil {
		return answered{}, err
	}
	rest, err := io.Copy(io.Discard, io.LimitReader(res.Body, mostAnswer-int64(len(body))))
	return answered{res, body, int64(len(body)) + rest, time.Since(began)}, err
}

// withoutAddress leaves out what the caller says.
func withoutAddress(err error) error {
	if of := (*url.Error)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// Once makes the workload's first request by itself and gives how long it took, to the last byte of the answer, and how many
// bytes that has. A wrong answer is an error.
func (s Spec) Once(ctx context.Context, at load.Address, params map[string]any,
	taken map[string]string) (took time.Duration, bytes int64, err error) {
	if s.IsMix() {
		return 0, 0, fmt.Errorf("workload %s is a mix of operations, and a batch runs one", s.Name)
	}
	request, err := s.first(s.parts()[0], params, taken)
	if err != nil {
		return 0, 0, err
	}
	check, err := s.Answers()
	if err != nil {
		return 0, 0, err
	}
	a := newAsker(at, s.Follows())
	a.client.Timeout = 0 // the caller's
	defer a.close()
	got, err := a.ask(ctx, request)
	if err != nil {
		return 0, 0, err
	}
	if problems := got.problems(check); len(problems) > 0 {
		return 0, 0, errors.New(strings.Join(problems, "; "))
	}
	return got.took, got.bytes, nil
}

// problems is everything that is wrong with an answer.
func (a answered) problems(check *answer.Check) []string {
	problems := check.Problems(a.StatusCode, a.bytes, a.body)
	if a.bytes == mostAnswer {
		problems = append(problems, fmt.Sprintf("the answer has %d bytes or more", mostAnswer))
	}
	location := a.Header.Get("Location")
	if location != "" && !check.Status(a.StatusCode) { // the first is of the status
		problems[0] = strings.Replace(problems[0], ", must be", " to "+answer.Shown([]byte(location))+", must be", 1)
	}
	return problems
}

// SetUp makes the workload's setup against a running server and gives what it took, by name.
func (s Spec) SetUp(ctx context.Context, at load.Address, params map[string]any) (map[string]string, error) {
	taken := map[string]string{}
	all := values(s.merged(params))
	for i, step := range s.Setup {
		if err := step.make(ctx, at, all, taken); err != nil {
			return nil, fmt.Errorf("workload %s: setup %d: %s %s: %w", s.Name, i+1, step.Method, step.Path, err)
		}
		for name, text := range taken {
			all[name] = text
		}
	}
	return taken, nil
}

// make one step and add what it takes.
func (s Step) make(ctx context.Context, at load.Address, all values, taken map[string]string) error {
	request, err := s.request(all, nil)
	if err != nil {
		return err
	}
	check, err := s.Answers()
	if err != nil {
		return err
	}
	if s.Success == nil { // a form's answer is a redirect
		if check, err = (answer.Right{Status: answer.Statuses{{From: 200, To: 399}}}).Check(); err != nil {
			return err
		}
	}
	a := newAsker(at, s.Follows())
	defer a.close()
	got, err := a.ask(ctx, request)
	if err != nil {
		return err
	}
	if problems := got.problems(check); len(problems) > 0 {
		return errors.New(strings.Join(problems, "; "))
	}
	for name, take := range s.Take {
		if taken[name], err = take.from(got); err != nil {
			return fmt.Errorf("take %s: %w", name, err)
		}
	}
	return nil
}

// from is the value in an answer.
func (t Take) from(got answered) (string, error) {
	switch {
	case t.JSON != nil:
		return answer.Find(got.body, *t.JSON)
	case t.Header != "":
		if value := got.Header.Get(t.Header); value != "" {
			return value, nil
		}
		return "", fmt.Errorf("the answer has no header %s", t.Header)
	case t.Cookie != "":
		for _, c := range got.Cookies() {
			if c.Name == t.Cookie {
				return c.Value, nil
			}
		}
		return "", fmt.Errorf("the answer sets no cookie %s", t.Cookie)
	}
	pattern, err := regexp.Compile(t.Pattern)
	if err != nil {
		return "", err
	}
	found := pattern.FindSubmatch(got.body)
	if found == nil {
		return "", fmt.Errorf("answered %s, must match %s", answer.Shown(got.body), t.Pattern)
	}
	return string(found[len(found)-1]), nil
}

// Verify asks a running server every check of the workloads and of their operations, and, where one says what success is, what
// its first hit would; it lists every wrong answer. An empty list means that all are right.
func Verify(ctx context.Context, at load.Address, specs ...Spec) []string {
	var problems []string
	for _, s := range specs {
		taken, err := s.SetUp(ctx, at, nil)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		for _, p := range s.parts() {
			checks := p.Checks
			if p.Success != nil {
				checks = append([]Check{{Right: *p.Success}}, checks...)
			}
			for _, c := range checks {
				problems = append(problems, c.run(ctx, at, s, p, taken)...)
			}
		}
	}
	return problems
}

func (c Check) run(ctx context.Context, at load.Address, s Spec, p Part, taken map[string]string) []string {
	r, err := s.first(p, c.Params, taken)
	if err != nil {
		return []string{fmt.Sprintf("%s: %s", s.where(p), err)}
	}
	where := fmt.Sprintf("%s: %s %s%s: ", s.where(p), r.Method, strings.TrimSuffix(at.URL, "/"), r.Target)
	check, err := c.Right.Check()
	if err != nil {
		return []string{where + err.Error()}
	}
	a := newAsker(at, p.Follows())
	defer a.close()
	got, err := a.ask(ctx, r)
	if err != nil {
		return []string{where + err.Error()}
	}
	problems := got.problems(check)
	if ms := float64(got.took) / float64(time.Millisecond); ms < c.MinMillis {
		problems = append(problems, fmt.Sprintf("answered after %.1f ms, must take at least %g ms", ms, c.MinMillis))
	}
	for i := range problems {
		problems[i] = where + problems[i]
	}
	return problems
}
