package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"loomboard.dev/agent/internal/workload"
)

// ReceiptName is the file in the folder of an installed package that has the package's digest.
const ReceiptName = "PACKAGE"

// Describe finds the workloads that the server names: among those that all servers of a folder share, and among its own. A name
// has one meaning: a server's own workload may repeat a shared one, but not change it. The workloads that an installed package
// carries are the shared ones.
func (s *Spec) Describe(dir string, shared workload.Set) error {
	path := filepath.Join(s.Dir, workload.FileName)
	var own workload.Set
	if _, err := os.Lstat(filepath.Join(s.Dir, ReceiptName)); err != nil {
		if own, err = workload.Load(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	sharedPath := filepath.Join(dir, workload.FileName)
	s.Described, s.own = map[string]workload.Spec{}, map[string]bool{}
	var lacking []string
	var failed []error
	for _, name := range s.Workloads {
		theirs, isShared := shared[name]
		mine, isOwn := own[name]
		switch {
		case isShared && isOwn && !reflect.DeepEqual(theirs, mine):
			failed = append(failed, fmt.Errorf("workload %s of %s is not that of %s: give it another name there", name, path, sharedPath))
		case isShared:
			s.Described[name] = theirs
		case isOwn:
			s.Described[name], s.own[name] = mine, true
		default:
			lacking = append(lacking, name)
		}
	}
	if len(lacking) > 0 {
		failed = append(failed, workload.Missing(s.Name, lacking, sharedPath, path))
	}
	return errors.Join(failed...)
}

// Owns is whether only this server describes the workload.
func (s Spec) Owns(name string) bool { return s.own[name] }

// oneMeaning refuses servers that mean something else by one name: their results would be compared.
func oneMeaning(specs []Spec) error {
	var failed []error
	first := map[string]Spec{}
	for _, s := range specs {
		for _, name := range s.Workloads {
			mine, known := s.Described[name]
			if !known {
				continue
			}
			other, there := first[name]
			if !there {
				first[name] = s
			} else if !reflect.DeepEqual(other.Described[name], mine) {
				failed = append(failed, fmt.Errorf("workload %s of server %s is not that of server %s: give one of them another name",
					name, s.Name, other.Name))
			}
		}
	}
	return errors.Join(failed...)
}

// workloadDigests are those of the server's own workloads, which nobody else versions, and of all whose requests are more than
// a path and parameters. The others are distinguished by their versions.
func (s Spec) workloadDigests() (map[string]string, error) {
	var digests map[string]string
	for name, w := range s.Described {
		if !s.own[name] && w.Plain() {
			continue
		}
		digest, err := w.Digest()
		if err != nil {
			return nil, err
		}
		if digests == nil {
			digests = map[string]string{}
		}
		digests[name] = digest
	}
	return digests, nil
}
