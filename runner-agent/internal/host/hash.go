package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Hash is the host fingerprint: two points may be compared only when it is equal.
func (f Facts) Hash() (string, error) {
	f.Shown = Shown{}
	return canonicalHash(f)
}

// classSchema is the version of what a class is made of, apart from the fingerprint's: boards
// go on when a fingerprint learns a fact.
const classSchema = "loomboard.host/1"

// class is what leaderboards put together.
type class struct {
	Schema    string  `json:"schema"`
	Arch      string  `json:"arch"`
	Vendor    *string `json:"vendor"`
	Model     *string `json:"model"`
	Sockets   int     `json:"sockets"`
	Cores     int     `json:"cores"`
	Threads   int     `json:"threads"`
	MemoryGiB int     `json:"memoryGib"`
	Placement string  `json:"placement"`
}

// ClassHash is the machine class: CPU model, cores, memory, placement.
func (f Facts) ClassHash() (string, error) {
	return canonicalHash(class{classSchema, f.Arch, f.CPU.Vendor, f.CPU.Model, f.CPU.Sockets, f.CPU.Cores,
		f.CPU.Threads, f.memoryGiB(), f.Placement})
}

// canonicalHash hashes JSON with sorted keys and no white space.
func canonicalHash(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("host facts: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var sorted any // maps are written with sorted keys
	if err := d.Decode(&sorted); err != nil {
		return "", fmt.Errorf("host facts: %w", err)
	}
	if text, err = json.Marshal(sorted); err != nil {
		return "", fmt.Errorf("host facts: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

var (
	trademark = regexp.MustCompile(`\((?:R|TM|r|tm)\)|\bCPU\b|\bProcessor\b|\d+-Core\b| @ .*$`)
	blanks    = regexp.MustCompile(`\s+`)
)

// Label is the class for people: "Intel Xeon Gold 6230, 2 cores, 24 GiB, load on
// the same host".
func (f Facts) Label() string {
	model := "unknown CPU"
	if f.CPU.Model != nil {
		model = strings.TrimSpace(blanks.ReplaceAllString(trademark.ReplaceAllString(*f.CPU.Model, " "), " "))
	}
	if f.CPU.Sockets > 1 {
		model = fmt.Sprintf("%d × %s", f.CPU.Sockets, model)
	}
	cores := fmt.Sprintf("%d cores", f.CPU.Cores)
	if f.CPU.Cores == 1 {
		cores = "1 core"
	}
	if f.CPU.Threads != f.CPU.Cores {
		cores += fmt.Sprintf(" (%d threads)", f.CPU.Threads)
	}
	memory := "unknown memory"
	if gib := f.memoryGiB(); gib > 0 {
		memory = fmt.Sprintf("%d GiB", gib)
	}
	placement := "load on the same host"
	switch f.Placement {
	case Pinned:
		placement = "load on cores of its own"
	case TwoHosts:
		placement = "load from another host"
	}
	return strings.Join([]string{model, cores, memory, placement}, ", ")
}

// memoryGiB is the size the memory was sold as. The kernel shows a little less:
// within a tenth below a usual size, it is that size.
func (f Facts) memoryGiB() int {
	if f.Memory.Bytes == nil {
		return 0
	}
	gib := float64(*f.Memory.Bytes) / (1 << 30)
	for size := 1; size <= 1<<14; size *= 2 {
		for _, usual := range []int{size, size + size/2} {
			if gib <= float64(usual) && gib > 0.9*float64(usual) {
				return usual
			}
		}
	}
	return int(gib + 0.5)
}
