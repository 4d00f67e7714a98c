package faults

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/simulated"
)

// stored is a batch as the database has it.
type stored struct {
	digest string
	late   bool
}

// Outcome is what a ledger and a database say of each other.
type Outcome struct {
	Sealed, Stored, Late int
	Waiting              int      // sealed and not stored, while agents still work
	Wrong                []string // lost, doubled, other content, never sent; a few of each
	wrong                map[string]int
}

// Err says what is wrong; nil: nothing is.
func (o Outcome) Err() error {
	if len(o.Wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(o.Wrong, "\n"))
}

func (o *Outcome) complain(kind, format string, args ...any) {
	if o.wrong == nil {
		o.wrong = map[string]int{}
	}
	if o.wrong[kind]++; o.wrong[kind] <= 5 {
		o.Wrong = append(o.Wrong, kind+": "+fmt.Sprintf(format, args...))
	}
}

// Lost is how many batches are.
func (o Outcome) Lost() int { return o.wrong[lost] + o.wrong[refused] }

// Twice is how many trials have readings that are there twice.
func (o Outcome) Twice() int { return o.wrong[twice] }

// String is for people.
func (o Outcome) String() string {
	return fmt.Sprintf("%d batches sealed, %d stored (%d of them late), %d on their way, lost %d, twice %d", o.Sealed, o.Stored,
		o.Late, o.Waiting, o.Lost(), o.Twice())
}

// Kinds of what is wrong.
const (
	lost    = "lost"
	refused = "refused for good"
	twice   = "there twice"
	other   = "other content"
	unknown = "never sent"
)

// When says when a check is made, and of whom.
type When int

// Working: agents are at it, so that only what was acknowledged must be stored. Settled: they have nothing left to send, so that all
// that is sealed must be. OthersToo: the service also has batches of agents whose ledgers these are not.
const (
	Working When = 0
	Settled When = 1 << iota
	OthersToo
)

// Check compares what agents sealed with what the service has stored.
func (s *Site) Check(ctx context.Context, ledger *simulated.Ledger, when When) (Outcome, error) {
	sent, err := ledger.All() // before what is stored: it may only grow
	var out Outcome
	if err != nil {
		out.complain(other, "%v", err)
	}
	has, err := s.batches(ctx)
	if err != nil {
		return out, err
	}
	out.compare(sent, has, when)
	return out, s.doubles(ctx, &out, sent, has)
}

// compare takes what ledgers said first, and the database after that.
func (o *Outcome) compare(sent map[simulated.BatchID]simulated.Batch, has map[simulated.BatchID]stored, when When) {
	settled := when&Settled != 0
	for id, b := range sent {
		got, there := has[id]
		if b.Sealed {
			o.Sealed++
		}
		switch {
		case there && b.Digest == "" && !settled:
			// About to be sealed when its ledger was read, it was sealed, sent and stored since: by then its ledger says the content.
		case there && got.digest != b.Digest:
			o.complain(other, "%v is stored with another content than was sent", id)
		case there:
			o.Stored++
			if got.late {
				o.Late++
			}
		case b.Acknowledged:
			o.complain(lost, "%v was acknowledged and is not stored", id)
		case b.Refused != 0:
			o.complain(refused, "%v, by %d", id, b.Refused)
		case b.Sealed && settled:
			o.complain(lost, "%v was sealed and is not stored", id)
		case b.Sealed:
			o.Waiting++
		}
	}
	if settled && when&OthersToo == 0 {
		for id := range has {
			if _, known := sent[id]; !known {
				o.complain(unknown, "%v is stored and nobody sent it", id)
			}
		}
	}
}

func (s *Site) batches(ctx context.Context) (map[simulated.BatchID]stored, error) {
	rows, err := s.stored.QueryContext(ctx,
		"select t.external_id, b.seq, encode(b.sha256, 'hex'), b.late from batch b join trial t using (trial_id)")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[simulated.BatchID]stored{}
	for rows.Next() {
		var id simulated.BatchID
		var b stored
		if err := rows.Scan(&id.Trial, &id.Seq, &b.digest, &b.late); err != nil {
			return nil, err
		}
		out[id] = b
	}
	return out, rows.Err()
}

// doubles looks for readings that are there twice, and for windows that batches had and the database has not.
func (s *Site) doubles(ctx context.Context, out *Outcome, sent map[simulated.BatchID]simulated.Batch, has map[simulated.BatchID]stored) error {
	var samples int
	if err := s.stored.QueryRowContext(ctx, `select count(*) from (select 1 from sample_chunk c, unnest(c.at_ns) at
		where c.metric = 'proc.rss_bytes' group by c.trial_id, at having count(*) > 1) twice`).Scan(&samples); err != nil {
		return err
	}
	if samples > 0 {
		out.complain(twice, "%d samples", samples)
	}
	want := map[string]int{}
	for id := range has {
		want[id.Trial] += sent[id].Windows // none of others'
	}
	rows, err := s.stored.QueryContext(ctx, `select t.external_id, count(*), count(distinct (w.phase, w.step, w.at_ns))
		from load_window w join trial t using (trial_id) group by 1`)
	if err != nil {
		return err
	}
	defer rows.Close()
	got := map[string]int{}
	for rows.Next() {
		var trial string
		var all, distinct int
		if err := rows.Scan(&trial, &all, &distinct); err != nil {
			return err
		}
		got[trial] = all
		if all != distinct {
			out.complain(twice, "%d of %d seconds of load of %s", all-distinct, all, trial)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for trial, windows := range want {
		// While agents work a batch may be stored between the two queries: then there are more.
		if got[trial] < windows {
			out.complain(lost, "%d of %d seconds of load of %s", windows-got[trial], windows, trial)
		}
	}
	slices.Sort(out.Wrong)
	return nil
}
