package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Service is where packages are downloaded from.
type Service struct {
	Base string // its address
}

// ErrNone says that a service offers nothing.
var ErrNone = errors.New("this service offers no servers to install")

var errMissing = errors.New("is not there")

// client follows no redirection: what is fetched is this service's, or nothing.
var client = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// timeouts of a download.
const (
	listTimeout    = 30 * time.Second
	packageTimeout = 30 * time.Minute
)

// List is what the service offers to everybody. Until its digest is compared with one from elsewhere, or its release is seen to
// be a publisher's, it comes unchecked from the server at the address.
func (s Service) List(ctx context.Context) (List, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	var text bytes.Buffer
	if _, err := s.get(ctx, ListName, &text, mostList); err != nil {
		return List{}, err
	}
	return ParseList(text.Bytes())
}

// Release is what the service says of the release that it offers. An empty signature: it has none.
func (s Service) Release(ctx context.Context) (Release, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	var sums, signature bytes.Buffer
	if _, err := s.get(ctx, SignatureName, &signature, mostSignature); errors.Is(err, errMissing) {
		return Release{}, nil
	} else if err != nil {
		return Release{}, err
	}
	if _, err := s.get(ctx, SumsName, &sums, mostSums); err != nil {
		return Release{}, err
	}
	return Release{sums.Bytes(), strings.TrimSpace(signature.String())}, nil
}

// Package downloads one offer, and fails unless it is what the list says.
func (s Service) Package(ctx context.Context, o Offer, into io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, packageTimeout)
	defer cancel()
	digest, err := s.get(ctx, o.File, into, o.Size)
	if err != nil {
		return err
	}
	return compare(o.Name, digest, o.SHA256)
}

func compare(what, got, want string) error {
	if got != want {
		return fmt.Errorf("%s has SHA-256 %s, expected was %s: nothing of it is installed", what, got, want)
	}
	return nil
}

func (s Service) get(ctx context.Context, file string, into io.Writer, most int64) (digest string, err error) {
	address := strings.TrimRight(s.Base, "/") + "/downloads/" + url.PathEscape(file)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusNotFound && file == ListName:
		return "", fmt.Errorf("%w (%s)", ErrNone, address)
	case answer.StatusCode == http.StatusNotFound:
		return "", fmt.Errorf("%s %w", address, errMissing)
	case answer.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s answered %s", address, answer.Status)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(into, sum), io.LimitReader(answer.Body, most+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", address, err)
	}
	if n > most {
		return "", fmt.Errorf("%s is larger than the %d bytes that it may have", address, most)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
