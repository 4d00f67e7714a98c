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

// Add takes a bundle of the folder into the manifest. One of another machine, protocol or builds than those before is refused: rows
// of two machines are not compared, and readers would.
func (m *Manifest) Add(folder, file string) error {
	d, err := describe(filepath.Join(folder, file))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r := Run{File: file, ID: d.ID, Trials: len(d.Trials), Started: d.Course.Times.StartedAt, Finished: d.Course.Times.FinishedAt}
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
	machine := Machine{d.Machine.FingerprintHash, d.Machine.ClassLabel, d.Machine.AgentVersion}
	if len(m.Runs) == 0 {
		m.Machine, m.Matrix, m.Protocol, m.JDKs = machine, d.Spec.Name, d.Spec.Protocol, d.JDKs
	}
	switch {
	case d.Course.State != "done":
		return fmt.Errorf("%s must be of a run that is done, is %s", file, d.Course.State)
	case machine.Fingerprint != m.Machine.Fingerprint:
		return fmt.Errorf("%s is of the host %.8s, those before are of %.8s: hosts must not be mixed", file, machine.Fingerprint, m.Machine.Fingerprint)
	case d.Spec.Protocol != m.Protocol:
		return fmt.Errorf("%s is of protocol %s, those before are of %s", file, d.Spec.Protocol, m.Protocol)
	case !slices.Equal(d.JDKs, m.JDKs):
		return fmt.Errorf("%s is on other JDK builds than those before", file)
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
