package local

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Owner is the administrator in a browser: some things only people may do, and only on pages.
type Owner struct {
	Base string // of the service
	http http.Client
}

// login is what the owner remembers between two starts.
type login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// SignIn signs the owner in, who is made on the first start; data is the folder of all data.
func SignIn(ctx context.Context, system *System, data string) (*Owner, error) {
	o, err := newOwner(system.Client.Base)
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(data, "owner.json")
	if link := system.SetupLink(); link != "" {
		me := newLogin()
		content, err := json.Marshal(me)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(kept, content, 0o600); err != nil {
			return nil, err
		}
		return o, o.setUp(ctx, link, me)
	}
	content, err := os.ReadFile(kept)
	if err != nil {
		return nil, err
	}
	var me login
	if err := json.Unmarshal(content, &me); err != nil {
		return nil, fmt.Errorf("%s: %w", kept, err)
	}
	return o, o.Send(ctx, "/sign-in", "/sign-in", url.Values{
		"email":    {me.Email},
		"password": {me.Password},
	})
}

// SetUp makes the owner of the service at base by the link of its first start; nobody can sign in as that again.
func SetUp(ctx context.Context, base, link string) (*Owner, error) {
	o, err := newOwner(base)
	if err != nil {
		return nil, err
	}
	return o, o.setUp(ctx, link, newLogin())
}

func newOwner(base string) (*Owner, error) {
	jar, err := cookiejar.New(nil)
	return &Owner{Base: base, http: http.Client{Jar: jar, Timeout: 15 * time.Second}}, err
}

// OwnerAddress is the mail address of the owner.
const OwnerAddress = "owner@example.org"

func newLogin() login { return login{Email: OwnerAddress, Password: rand.Text()} }

func (o *Owner) setUp(ctx context.Context, link string, me login) error {
	path := link[strings.Index(link, "/setup/"):]
	return o.Send(ctx, path, path, url.Values{
		"email":    {me.Email},
		"name":     {"Owner"},
		"password": {me.Password},
	})
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)"`)

// Send fills the form of a page, whose hidden fields it takes over, and sends it.
func (o *Owner) Send(ctx context.Context, page, form string, fields url.Values) error {
	_, err := o.Ask(ctx, page, form, fields)
	return err
}

// Ask is Send that gives the page which answers.
func (o *Owner) Ask(ctx context.Context, page, form string, fields url.Values) (string, error) {
	content, err := o.do(ctx, http.MethodGet, page, nil)
	if err != nil {
		return "", err
	}
	for _, field := range hidden.FindAllStringSubmatch(content, -1) {
		if !fields.Has(field[1]) {
			fields.Set(field[1], field[2])
		}
	}
	return o.do(ctx, http.MethodPost, form, strings.NewReader(fields.Encode()))
}

var apiToken = regexp.MustCompile(`lbt_[a-z2-7]{52}`)

// Token makes an API token on its page, good for a week.
func (o *Owner) Token(ctx context.Context, name string, scopes ...string) (string, error) {
	page, err := o.Ask(ctx, "/account/tokens", "/account/tokens", url.Values{"name": {name}, "scope": scopes, "days": {"7"}})
	if err != nil {
		return "", err
	}
	token := apiToken.FindString(page)
	if token == "" {
		return "", errors.New("the page of tokens shows no new one")
	}
	return token, nil
}

func (o *Owner) do(ctx context.Context, method, path string, body io.Reader) (string, error) {
	request, err := http.NewRequestWithContext(ctx, method, o.Base+path, body)
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := o.http.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(io.LimitReader(answer.Body, 4<<20))
	if err == nil && answer.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s", method, path, answer.Status)
	}
	return string(content), err
}
