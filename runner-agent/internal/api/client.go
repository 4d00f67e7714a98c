package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	callTimeout = 30 * time.Second
	claimSlack  = 15 * time.Second // over the wait that was asked for
	// uploadTimeout is longer than the service waits for a body (120 s): over a line on which a batch takes that long, an agent that
	// gave up before would send it for ever.
	uploadTimeout = 150 * time.Second
	// answerTimeout is how long an answer may take once the request is sent, longer than the longest claim: what waits beyond it
	// waits on a connection that is dead.
	answerTimeout = 70 * time.Second
	answerBytes   = 8 << 20
	problemBytes  = 64 << 10
)

// Client calls one service. It is safe for use by several goroutines.
type Client struct {
	base string
	http *http.Client

	mu  sync.Mutex // of the key
	key string
	// renewed is asked for another key when the service refuses the present one; nil: there is none.
	renewed func(refused string) (key string)
}

// NewClient checks the address; the key is the agent's, empty while registering,
// or an API token.
func NewClient(base, key string) (*Client, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("service address %q: must look like https://loomboard.example.org", base)
	}
	u.RawQuery, u.Fragment = "", ""
	line := http.DefaultTransport.(*http.Transport).Clone()
	line.ResponseHeaderTimeout = answerTimeout
	return &Client{
		base: strings.TrimSuffix(u.String(), "/"),
		key:  key,
		http: &http.Client{
			Transport:     line,
			CheckRedirect: notFollowed,
		},
	}, nil
}

// Over has all calls go over another line, made of the present one. Set it before the first call.
func (c *Client) Over(line func(http.RoundTripper) http.RoundTripper) {
	c.http.Transport = line(c.http.Transport)
}

// notFollowed takes a redirection as the answer: the key, or what is sent, would go to whom it names.
func notFollowed(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Key is the one that calls are made by.
func (c *Client) Key() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.key
}

// SetKey has further calls made by another key.
func (c *Client) SetKey(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.key = key
}

// KeysFrom has the client ask for a newer key when the service refuses the one that a call was made by, and make
// that call once more. An empty or the same key is none. Set it before the first call.
func (c *Client) KeysFrom(renewed func(refused string) (key string)) { c.renewed = renewed }

// Register exchanges a one-time token for a key.
func (c *Client) Register(ctx context.Context, r RegisterRequest) (RegisterResponse, error) {
	var out RegisterResponse
	_, err := c.json(ctx, callTimeout, http.MethodPost, "/api/agent/v1/register", r, &out)
	out.Machine, out.Workspace, out.PageURL = printable(out.Machine), printable(out.Workspace), printable(out.PageURL)
	return out, err
}

// RegistrationToken makes a one-time token for a machine of that name; the client's key is an API token.
func (c *Client) RegistrationToken(ctx context.Context, name string) (string, error) {
	var out struct {
		Token string `json:"token"`
	}
	_, err := c.json(ctx, callTimeout, http.MethodPost, "/api/v1/machines/registration-tokens",
		map[string]string{"name": name}, &out)
	return out.Token, err
}

// PutInventory says what the machine has.
func (c *Client) PutInventory(ctx context.Context, i Inventory) error {
	_, err := c.json(ctx, callTimeout, http.MethodPut, "/api/agent/v1/inventory", i, nil)
	return err
}

// PutKey names the agent's next key; the same again changes nothing.
func (c *Client) PutKey(ctx context.Context, next string) (KeyState, error) {
	var out KeyState
	_, err := c.json(ctx, callTimeout, http.MethodPut, "/api/agent/v1/key", KeyRequest{next}, &out)
	return out, err
}

// Beat keeps the lease.
func (c *Client) Beat(ctx context.Context, runID string, h Heartbeat) (HeartbeatAnswer, error) {
	var out HeartbeatAnswer
	_, err := c.json(ctx, callTimeout, http.MethodPost, "/api/agent/v1/runs/"+url.PathEscape(runID)+"/heartbeat", h,
		&out)
	return out, err
}

// Complete ends a run.
func (c *Client) Complete(ctx context.Context, runID string, done Completion) error {
	_, err := c.json(ctx, callTimeout, http.MethodPost, "/api/agent/v1/runs/"+url.PathEscape(runID)+"/complete",
		done, nil)
	return err
}

// PutBatch uploads a sealed batch, gzip as it lies in the spool.
func (c *Client) PutBatch(ctx context.Context, trialID string, seq int, gz []byte) error {
	path := fmt.Sprintf("/api/agent/v1/trials/%s/batches/%d", url.PathEscape(trialID), seq)
	header := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"},
		"Loomboard-Sent-At": {time.Now().UTC().Format(time.RFC3339Nano)}}
	_, err := c.call(ctx, uploadTimeout, http.MethodPut, path, gz, header, nil)
	return err
}

func (c *Client) json(ctx context.Context, timeout time.Duration, method, path string, in, out any) (int, error) {
	var body []byte
	header := http.Header{}
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return 0, fmt.Errorf("%s %s: %w", method, path, err)
		}
		header.Set("Content-Type", "application/json")
	}
	return c.call(ctx, timeout, method, path, body, header, out)
}

// call makes a call, and once more by a newer key where there is one.
func (c *Client) call(ctx context.Context, timeout time.Duration, method, path string, body []byte,
	header http.Header, out any) (int, error) {
	key := c.Key()
	status, err := c.callBy(ctx, key, timeout, method, path, body, header, out)
	if !KeyRefused(err) || c.renewed == nil {
		return status, err
	}
	newer := c.renewed(key)
	if newer == "" || newer == key {
		return status, err
	}
	return c.callBy(ctx, newer, timeout, method, path, body, header, out)
}

func (c *Client) callBy(ctx context.Context, key string, timeout time.Duration, method, path string, body []byte,
	header http.Header, out any) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, reader)
	if err != nil {
		return 0, err
	}
	req.Header = header
	req.Header.Set("Accept", "application/json, application/problem+json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, &Unreachable{Service: c.base, Err: bare(err)}
	}
	defer res.Body.Close()
	if err := c.notItsAnswer(res, method, path, out); err != nil {
		return res.StatusCode, err
	}
	if res.StatusCode/100 != 2 {
		return res.StatusCode, problemOf(res, method, path)
	}
	if whole, ok := out.(interface{ read(*http.Response) error }); ok {
		err = whole.read(res)
	} else if out == nil || res.StatusCode == http.StatusNoContent {
		// Read to the end, so that the connection is used again.
		_, err = io.Copy(io.Discard, io.LimitReader(res.Body, answerBytes))
	} else {
		// Within v1 fields are only added, so unknown ones are not an error.
		err = json.NewDecoder(io.LimitReader(res.Body, answerBytes)).Decode(out)
	}
	if err != nil {
		return res.StatusCode, &Unreachable{
			Service: c.base,
			Err:     fmt.Errorf("%s %s: the answer cannot be read: %w", method, path, err),
		}
	}
	return res.StatusCode, nil
}

// notItsAnswer tells that something else answers in the service's place, such as a proxy whose service is gone or a network that
// wants somebody to sign in: nothing is known of the request then. The service's own refusals are problem documents, and where it
// has nothing to say it says 204.
func (c *Client) notItsAnswer(res *http.Response, method, path string, out any) error {
	what := ""
	switch s := res.StatusCode; {
	case s/100 == 3:
		what = fmt.Sprintf("points to %.200q, where the agent does not go with its key; if the service has another address now, name that",
			res.Header.Get("Location"))
	case s/100 == 2 && out == nil && s != http.StatusNoContent:
		what = "must be 204"
	case s/100 == 4 && !mayBeOfAProxy(s) && !isProblem(res):
		what = "is no problem document"
	default:
		return nil
	}
	return &Unreachable{
		Service: c.base,
		Err:     fmt.Errorf("something else answers %s %s in its place: %s %s", method, path, res.Status, what),
	}
}

// mayBeOfAProxy: these mean the same from a proxy and from the service. A proxy that takes only small bodies will never take this one, and what
// came after it must not wait for ever.
func mayBeOfAProxy(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusRequestEntityTooLarge || status == http.StatusTooManyRequests
}

// bare drops the address that net/http repeats in its errors.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
