package spool

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"regexp"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/durable"
)

// artefact is an upload besides the batches. Its name and digest are in the file's
// name: the service takes the same again, so that an answer lost in a crash is
// asked for once more.
type artefact struct {
	path   string
	name   api.ArtefactName
	sha256 string
	size   int64
}

var artefactForm = regexp.MustCompile(`^([a-z][a-z0-9.-]{0,63})\.([0-9a-f]{64})\.artefact\.gz$`)

// parseArtefact is false for files that are no artefacts.
func parseArtefact(file string) (name api.ArtefactName, sha256 string, ok bool) {
	m := artefactForm.FindStringSubmatch(file)
	if m == nil {
		return "", "", false
	}
	return api.ArtefactName(m[1]), m[2], true
}

// PutArtefact seals an artefact: when it returns nil, it survives a crash. It must
// come before the trial's last batch, whose answer removes the folder.
func (w *Writer) PutArtefact(name api.ArtefactName, content []byte) error {
	file := fmt.Sprintf("%s.%s.artefact.gz", name, api.Sha256(content))
	if _, _, ok := parseArtefact(file); !ok {
		return fmt.Errorf("spool: %q is not the name of an artefact", name)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(content); err != nil {
		return fmt.Errorf("spool: %s: %w", name, err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("spool: %s: %w", name, err)
	}
	return w.store(file, packed.Bytes(), durable.Write)
}

func (a artefact) String() string { return string(a.name) }

func (a artefact) settle(ctx context.Context, s *Spool, to Uploader, f folder) error {
	content, err := os.ReadFile(a.path)
	if err != nil {
		return err
	}
	err = to.PutArtefact(ctx, f.meta.TrialID, a.name, a.sha256, content)
	if err := s.refused(f, a, a.path, string(a.name), content, err); err != nil {
		return err
	}
	if err := os.Remove(a.path); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	s.change(-a.size, -1)
	return nil
}
