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

// timeouts of a download.
const (
	listTimeout    = 30 * time.Second
	packageTimeout = 30 * time.Minute
)

// Offers are what the service offers, and the digest of the list. Until that is compared with one from elsewhere, the list is
// the word of whoever answers at the address.
func (s Service) Offers(ctx context.Context) (all Offers, digest string, err error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	var text bytes.Buffer
	digest, err = s.get(ctx, ListName, &text, mostList)
	if err != nil {
		return Offers{}, "", err
	}
	all, err = parseOffers(text.Bytes())
	return all, digest, err
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
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusNotFound && file == ListName:
		return "", fmt.Errorf("%w (%s)", ErrNone, address)
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
