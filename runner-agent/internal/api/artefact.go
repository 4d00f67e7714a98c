package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
)

// ArtefactName is what a diagnostic or failed trial leaves besides its batches.
type ArtefactName string

// The names that the contract knows.
const (
	DiagnosisArtefact ArtefactName = "diagnosis.json"
	StacksArtefact    ArtefactName = "stacks.txt"
	ClassesArtefact   ArtefactName = "classes.json"
	JVMLogArtefact    ArtefactName = "jvm.log"
	OutputArtefact    ArtefactName = "server-output.txt"
	CrashArtefact     ArtefactName = "hs-err.txt"
	ThreadsArtefact   ArtefactName = "threads.txt"
)

// DiagnosticArtefacts are those of a diagnostic trial, FailureArtefacts those of a failed one of any kind.
var (
	DiagnosticArtefacts = []ArtefactName{DiagnosisArtefact, StacksArtefact, ClassesArtefact, JVMLogArtefact}
	FailureArtefacts    = []ArtefactName{OutputArtefact, CrashArtefact, ThreadsArtefact, JVMLogArtefact}
)

// ArtefactLimit is how many bytes the service takes of one.
const ArtefactLimit = 8 << 20

// Sha256 is a digest as the wire writes it.
func Sha256(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// PutArtefact uploads an artefact, gzip as it lies in the spool. The digest is of
// what is inside: the same again is harmless, another is refused.
func (c *Client) PutArtefact(ctx context.Context, trialID string, name ArtefactName, sha256 string, gz []byte) error {
	path := fmt.Sprintf("/api/agent/v1/trials/%s/artefacts/%s", url.PathEscape(trialID), url.PathEscape(string(name)))
	header := http.Header{
		"Content-Type":     {"application/octet-stream"},
		"Content-Encoding": {"gzip"},
		"Loomboard-Sha256": {sha256},
	}
	_, err := c.call(ctx, uploadTimeout, http.MethodPut, path, gz, header, nil)
	return err
}
