package results

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"loomboard.dev/agent/internal/evidence"
)

// most of the description of a run, as in backend/api/bundle-v1.md.
const most = 8 << 20

// described is what is read of a bundle's run.json.
type described struct {
	ID     string
	Course struct {
		State string
		Times struct{ StartedAt, FinishedAt time.Time }
	}
	Spec struct{ Name, Protocol string }

	Machine struct{ AgentVersion, FingerprintHash, ClassLabel string }
	JDKs    []JDK
	Cells   []struct {
		Server   struct{ Name, Variant string }
		Scenario struct{ Workload string }
	}
	Trials []struct{ End struct{ State string } }
}

// Add takes a bundle of the folder into the manifest, and where it was measured. One of another protocol is refused, as is one of another
// machine, commit or builds than those of its workload: rows of two are not compared, and readers would.
func (m *Manifest) Add(folder, file string, where evidence.Place) error {
	d, err := describe(filepath.Join(folder, file))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r := Run{File: file, ID: d.ID, JDKs: d.JDKs, Trials: len(d.Trials), Started: d.Course.Times.StartedAt, Finished: d.Course.Times.FinishedAt,
		Measured: where, Machine: Machine{d.Machine.FingerprintHash, d.Machine.ClassLabel, d.Machine.AgentVersion}}
	if r.Bytes, r.SHA256, err = Digest(filepath.Join(folder, file)); err != nil {
		return err
	}
	for _, c := range d.Cells {
		if r.Workload != "" && c.Scenario.Workload != r.Workload {
			return fmt.Errorf("%s must be of one workload, has %s and %s", file, r.Workload, c.Scenario.Workload)
		}
		r.Workload = c.Scenario.Workload
		if name := c.Server.Name + "/" + c.Server.Variant; !slices.Contains(r.Servers, name) {
			r.Servers = append(r.Servers, name)
		}
	}
	if len(m.Runs) == 0 {
		m.Matrix, m.Protocol = d.Spec.Name, d.Spec.Protocol
	}
	switch {
	case d.Course.State != "done":
		return fmt.Errorf("%s must be of a run that is done, is %s", file, d.Course.State)
	case d.Spec.Protocol != m.Protocol:
		return fmt.Errorf("%s is of protocol %s, those before are of %s", file, d.Spec.Protocol, m.Protocol)
	}
	for _, before := range m.Of(r.Workload) {
		switch {
		case r.Machine.Fingerprint != before.Machine.Fingerprint:
			return fmt.Errorf("%s is of the host %.8s, %s is of %.8s: hosts must not be mixed in a workload", file, r.Machine.Fingerprint,
				before.File, before.Machine.Fingerprint)
		case r.Measured != before.Measured:
			return fmt.Errorf("%s is of the commit %s, %s is of %s: they must not be mixed in a workload", file, r.Measured.Commit, before.File,
				before.Measured.Commit)
		case !slices.Equal(r.JDKs, before.JDKs):
			return fmt.Errorf("%s is on other JDK builds than %s", file, before.File)
		}
	}
	m.Runs = append(slices.DeleteFunc(slices.Clone(m.Runs), func(other Run) bool { return other.File == file }), r)
	slices.SortFunc(m.Runs, func(a, b Run) int { return a.Started.Compare(b.Started) })
	return nil
}

func describe(bundle string) (d described, err error) {
	archive, err := zip.OpenReader(bundle)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	run, err := archive.Open("run.json")
	if err != nil {
		return d, err
	}
	defer run.Close()
	return d, json.NewDecoder(io.LimitReader(run, most)).Decode(&d)
}
