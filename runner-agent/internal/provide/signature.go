package provide

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ProtonMail/go-crypto/openpgp"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
)

const (
	mostKeys       = 4 << 20  // bytes of a key ring
	mostSignature  = 64 << 10 // bytes of one
	armourBeginsBy = "-----BEGIN"
)

// readKeys reads the public keys of an owner's file, armoured or not.
func readKeys(path string) (openpgp.EntityList, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostKeys))
	if err != nil {
		return nil, err
	}
	read := openpgp.ReadKeyRing
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte(armourBeginsBy)) {
		read = openpgp.ReadArmoredKeyRing
	}
	keys, err := read(bytes.NewReader(text))
	if err == nil && len(keys) == 0 {
		err = errors.New("there is no key in it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return keys, nil
}

// checkSignature gives the fingerprint of the key that signed an archive; empty: there is no signature, or the owner has no key ring. A
// signature that no key of the ring made refuses the archive.
func (p *Provider) checkSignature(ctx context.Context, o Offer, a archive, packed string) (by string, err error) {
	if p.keys == "" || a.signature == "" {
		return "", nil
	}
	keys, err := readKeys(p.keys)
	if err != nil {
		return "", failed(err, "the owner's key ring cannot be read")
	}
	address, err := p.catalogue.parse(a.signature)
	if err != nil {
		return "", failed(err, "the catalogue gives no address for the signature of %s that is followed", o)
	}
	signature, err := p.catalogue.get(ctx, "the signature of "+o.String(), address, mostSignature)
	if err != nil {
		return "", err
	}
	file, err := os.Open(packed)
	if err != nil {
		return "", err
	}
	defer file.Close()
	check := openpgp.CheckDetachedSignature
	if bytes.HasPrefix(bytes.TrimSpace(signature), []byte(armourBeginsBy)) {
		check = openpgp.CheckArmoredDetachedSignature
	}
	signer, err := check(keys, whileWanted{ctx, file}, bytes.NewReader(signature), nil)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, pgperrors.ErrUnknownIssuer):
		return "", badOffer{o, failed(err, "no key of the owner's key ring has signed %s", o)}
	case err != nil:
		return "", badOffer{o, failed(err, "the signature of %s is wrong: %.200v", o, err)}
	}
	return fmt.Sprintf("%X", signer.PrimaryKey.Fingerprint), nil
}
