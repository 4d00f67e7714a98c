// Package post is where the messages of a service arrive, for commands that show or prove whom it tells and how often: a mail server
// and another service that a webhook calls, both on loopback.
package post

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"time"

	"loomboard.dev/agent/internal/local"
	"loomboard.dev/agent/internal/testbed"
)

// Post takes mails and calls.
type Post struct {
	Mailbox *testbed.Mailbox
	Hook    *Hook
}

// kept is what a webhook and its receiver know of each other; another start goes on with it.
type kept struct{ Address, Secret string }

// Open listens where the file says, if it was kept, else on free ports. Whether a mail is lost, as of testbed.Mailbox, is asked of those that
// tell of something; nil: none is.
func Open(file string, lose func(from net.Addr, m testbed.Received) bool) (p *Post, err error) {
	of := kept{Address: "127.0.0.1:0"}
	content, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(content, &of)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p = &Post{}
	if p.Mailbox, err = testbed.OpenMailbox(func(from net.Addr, m testbed.Received) bool {
		return lose != nil && !proves(m) && lose(from, m)
	}); err != nil {
		return nil, err
	}
	if p.Hook, err = OpenHook(of.Address, of.Secret); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Keep writes the file by which another start is reached as this one.
func (p *Post) Keep(file string) error {
	content, err := json.Marshal(kept{p.Hook.Address(), p.Hook.Secret})
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o600)
}

// Known says whether a service knows of it already: Reach was called, by this start or one before that was kept.
func (p *Post) Known() bool { return p.Hook.Secret != "" }

// Settings are the service's, by which it sends here.
func (p *Post) Settings() []string {
	return []string{
		"LOOMBOARD_MAIL_HOST=127.0.0.1", "LOOMBOARD_MAIL_PORT=" + strconv.Itoa(p.Mailbox.Port()), "LOOMBOARD_MAIL_FROM=loomboard@example.org",
		"LOOMBOARD_MAIL_TLS=none", "LOOMBOARD_WEBHOOKS=anywhere",
	}
}

var (
	webhookSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)
	resetLink     = regexp.MustCompile(`/reset-password/\S+`)
)

// Reach has the service tell its owner of all that mails tell by themselves, and a webhook of these kinds. The owner proves the address by a
// mailed link, as who forgot a password does.
func (p *Post) Reach(ctx context.Context, o *local.Owner, kinds ...string) error {
	page, err := o.Ask(ctx, "/w/main/webhooks", "/w/main/webhooks", url.Values{"name": {"Post"}, "url": {p.Hook.URL()}, "body": {"json"}, "kind": kinds})
	if err != nil {
		return err
	}
	if p.Hook.Secret = webhookSecret.FindString(page); p.Hook.Secret == "" {
		return errors.New("the page of webhooks shows no secret")
	}
	if err := o.Send(ctx, "/reset-password", "/reset-password", url.Values{"email": {local.OwnerAddress}}); err != nil {
		return err
	}
	for len(p.Mailbox.Mails()) == 0 {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the mail that proves an address did not come: %w", context.Cause(ctx))
		case <-time.After(100 * time.Millisecond):
		}
	}
	mail := p.Mailbox.Mails()[0]
	if !proves(mail) {
		return errors.New("the mail that proves an address has no link")
	}
	path := resetLink.FindString(mail.Text)
	password := rand.Text()
	return o.Send(ctx, path, path, url.Values{"password": {password}, "repeated": {password}})
}

// proves tells mails that prove an address from those that tell of something.
func proves(m testbed.Received) bool { return resetLink.MatchString(m.Text) }

// Close takes no more.
func (p *Post) Close() (err error) {
	if p.Hook != nil {
		err = p.Hook.Close()
	}
	return errors.Join(err, p.Mailbox.Close())
}
