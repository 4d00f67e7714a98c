package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"
)

// Contention reads the counters of our JVMTI agent (jvmti/src/contention.c), which
// counts contended monitor enters alike on every JDK. Diagnostic trials only.
type Contention struct{ file *os.File }

// The layout of the agent's file; each counter has a cache line of its own.
const (
	contentionMagic    = 0x3143424c // "LBC1" in memory
	contentionSize     = 256
	offContentionMagic = 0
	offSeesVirtual     = 4
	offPlatform        = 64
	offVirtual         = 128
)

// ContentionColumns are the columns of a Contention.
func ContentionColumns() []string {
	return []string{"jvm.monitor_contended_total", "jvm.monitor_contended_virtual"}
}

// OpenContention opens the file the agent was told to count in. A file from
// before since (zero: any) is of an earlier server.
func OpenContention(path string, since time.Time) (*Contention, error) {
	f, err := OpenPlain(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.ModTime().Before(since) {
		err = fmt.Errorf("%s is of an earlier server", path)
	}
	c := &Contention{file: f}
	if err == nil {
		_, _, _, err = c.counts()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

// Close closes the file.
func (c *Contention) Close() error { return c.file.Close() }

// Name of the source.
func (c *Contention) Name() string { return "contention agent" }

// Columns of the source.
func (c *Contention) Columns() []string { return ContentionColumns() }

// Read fills one value per column. A JVM whose JNI cannot tell virtual threads
// leaves their column missing: all its counts are in the total.
func (c *Contention) Read(dst []float64) error {
	platform, virtual, seesVirtual, err := c.counts()
	if err != nil {
		return err
	}
	dst[0] = float64(platform + virtual)
	if seesVirtual {
		dst[1] = float64(virtual)
	}
	return nil
}

// counts reads through the page cache, which the agent's mapping writes to, so a
// counter is at most one event old and the file may be gone already.
func (c *Contention) counts() (platform, virtual uint64, seesVirtual bool, err error) {
	var b [contentionSize]byte
	if _, err := c.file.ReadAt(b[:], 0); err != nil {
		return 0, 0, false, fmt.Errorf("%s: %w", c.file.Name(), err)
	}
	if binary.NativeEndian.Uint32(b[offContentionMagic:]) != contentionMagic {
		return 0, 0, false, fmt.Errorf("%s: not a counter file of the contention agent", c.file.Name())
	}
	seesVirtual = binary.NativeEndian.Uint32(b[offSeesVirtual:]) == 1
	return binary.NativeEndian.Uint64(b[offPlatform:]), binary.NativeEndian.Uint64(b[offVirtual:]), seesVirtual, nil
}

// attemptsCounter is the JVM's own count of contended enters, of both kinds of threads
// together. It went with 25.
const attemptsCounter = "sun.rt._sync_ContendedLockAttempts"

// Attempts is the fallback where there is no agent: the JVM's own counter, which is
// equal to the agent's total where both are (within one event).
type Attempts struct{ counters *Hsperf }

// NewAttempts says false where the JVM has no such counter: then contention is not
// measured.
func NewAttempts(h *Hsperf) (*Attempts, bool) {
	_, ok := h.Long(attemptsCounter)
	return &Attempts{h}, ok
}

// Name of the source.
func (a *Attempts) Name() string { return "contended attempts" }

// Columns of the source.
func (a *Attempts) Columns() []string { return ContentionColumns() }

// Read fills the total; how many were virtual threads is missing.
func (a *Attempts) Read(dst []float64) error {
	n, ok := a.counters.Long(attemptsCounter)
	if !ok {
		return fmt.Errorf("%s cannot be read", attemptsCounter)
	}
	dst[0] = float64(n)
	return nil
}
