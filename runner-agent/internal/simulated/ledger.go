package simulated

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"loomboard.dev/agent/internal/api"
)

// BatchID names a batch.
type BatchID struct {
	Trial string `json:"trial"`
	Seq   int    `json:"seq"`
}

func (b BatchID) String() string { return fmt.Sprintf("%s/%d", b.Trial, b.Seq) }

// What happened to a batch, in this order. One may be sent that no trial has sealed: a kill came just after the spool had it; or the
// trial was cut short, and the last batch, by the same number perhaps, is the spool's own.
const (
	sealing      = "sealing" // it is about to be put into the spool: a kill may come before or after
	sealed       = "sealed"  // the spool has it
	sent         = "sent"    // it is about to be sent, for the first time, and was not noted as sealed
	acknowledged = "acknowledged"
	refused      = "refused" // for good
)

// entry is a line of a ledger.
type entry struct {
	BatchID
	What    string `json:"what"`
	Digest  string `json:"digest,omitempty"` // SHA-256 of the content, unpacked
	Windows int    `json:"windows,omitempty"`
	Status  int    `json:"status,omitempty"` // of a refusal
}

// Batch is what a ledger knows of one.
type Batch struct {
	Digest               string // empty: it was never sealed, nor sent
	Windows              int    // seconds of load in it
	Sealed, Acknowledged bool
	Refused              int // status; 0: it was not

	offered content // to the spool
}

type content struct {
	digest  string
	windows int
}

// Ledger is what agents sealed, sent and had acknowledged. With a file it survives the agent's end by SIGKILL: each line is
// written before, and after, what it tells of. It is safe for use by several goroutines.
type Ledger struct {
	mu       sync.Mutex
	file     io.Writer // nil: kept in memory alone
	batches  map[BatchID]*Batch
	problems []error
}

// NewLedger keeps its entries in file, too, unless that is nil.
func NewLedger(file io.Writer) *Ledger { return &Ledger{file: file, batches: map[BatchID]*Batch{}} }

// Read adds the entries of a file. A line that a kill cut off is the last one.
func (l *Ledger) Read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			if !lines.Scan() {
				break
			}
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		l.add(e)
	}
	return lines.Err()
}

// All are the batches, by their names, and what is wrong in the ledger itself.
func (l *Ledger) All() (map[BatchID]Batch, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make(map[BatchID]Batch, len(l.batches))
	for id, b := range l.batches {
		out[id] = *b
	}
	return out, errors.Join(l.problems...)
}

// Counts are the batches that were sealed, acknowledged and refused for good.
func (l *Ledger) Counts() (sealed, acknowledged, refused int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.batches {
		if b.Sealed {
			sealed++
		}
		if b.Acknowledged {
			acknowledged++
		}
		if b.Refused != 0 {
			refused++
		}
	}
	return sealed, acknowledged, refused
}

func (l *Ledger) note(e entry) error {
	l.add(e)
	if l.file == nil {
		return nil
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n')) // one call: a kill comes before or after
	return err
}

func (l *Ledger) add(e entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.batches[e.BatchID]
	if b == nil {
		b = &Batch{}
		l.batches[e.BatchID] = b
	}
	switch e.What {
	case sealing:
		b.offered = content{e.Digest, e.Windows}
	case sealed:
		b.Sealed = true
		l.settle(e.BatchID, b, b.offered)
	case sent:
		what := content{digest: e.Digest}
		if e.Digest == b.offered.digest {
			what = b.offered
		}
		l.settle(e.BatchID, b, what)
	case acknowledged:
		b.Acknowledged = true
	case refused:
		b.Refused = e.Status
	}
}

// settle says what is in a batch, which stays so.
func (l *Ledger) settle(id BatchID, b *Batch, is content) {
	if b.Digest != "" && b.Digest != is.digest {
		l.problems = append(l.problems, fmt.Errorf("%v has two contents", id))
	}
	b.Digest, b.Windows = is.digest, is.windows
}

// sink notes what a trial seals.
type sink struct {
	to interface {
		Put(api.Batch) error
		Room() error
	}
	ledger *Ledger
	at     func(point string)
}

func (s sink) Put(b api.Batch) error {
	digest := sha256.New()
	if err := json.NewEncoder(digest).Encode(b); err != nil { // as the spool writes it
		return err
	}
	id := BatchID{b.TrialID, b.Seq}
	if err := s.ledger.note(entry{id, sealing, hex.EncodeToString(digest.Sum(nil)), len(b.Windows), 0}); err != nil {
		return err
	}
	s.at("sealing")
	if err := s.to.Put(b); err != nil {
		return err
	}
	s.at("sealed")
	return s.ledger.note(entry{BatchID: id, What: sealed})
}

func (s sink) Room() error { return s.to.Room() }
