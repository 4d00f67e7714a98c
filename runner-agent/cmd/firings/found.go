package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/post"
)

// firing is one fire time of a schedule as the service noted it.
type firing struct {
	schedule string
	at       time.Time
	run      string // "": it made none
	reason   string
}

// found is what there is at the end.
type found struct {
	firings []firing // by schedule and time
	runs    int      // of all schedules
	post.Arrivals
	away    map[string]int // absences of each machine
	notices map[string]int // of each machine
	kills   int
	losses  int
}

func (f found) absences() (n int) {
	for _, of := range f.away {
		n += of
	}
	return n
}

func (f found) resends() (n int) {
	for _, m := range f.Messages {
		n += m.Resends
	}
	return n
}

func (s *site) gather(ctx context.Context) (f found, err error) {
	f = found{away: map[string]int{}, notices: map[string]int{}, kills: s.kills, losses: len(s.lost)}
	for _, m := range s.leaving {
		f.away[m.name] = m.absences
	}
	if err := s.rows(ctx, `
		select s.slug, f.fire_at, coalesce(r.external_id, ''), coalesce(f.reason, '')
		  from schedule_firing f join schedule s using (schedule_id) left join run r on r.run_id = f.run_id order by 1, 2`, func(scan func(...any) error) error {
		var one firing
		defer func() { f.firings = append(f.firings, one) }()
		return scan(&one.schedule, &one.at, &one.run, &one.reason)
	}); err != nil {
		return f, err
	}
	if f.runs, err = s.count(ctx, "select count(*) from run where schedule_id is not null"); err != nil {
		return f, err
	}
	if err := s.rows(ctx, `
		select m.slug, count(*) from notice n join machine m using (machine_id) where n.kind = 'machine-away' group by 1`, func(scan func(...any) error) error {
		var name string
		var count int
		defer func() { f.notices[name] = count }()
		return scan(&name, &count)
	}); err != nil {
		return f, err
	}
	f.Arrivals, err = s.post.Arrivals(ctx, s.stored)
	return f, err
}

// rows hands each row of a query to read.
func (s *site) rows(ctx context.Context, query string, read func(scan func(...any) error) error) error {
	rows, err := s.stored.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// problems are all that is not as it must be, each a sentence.
func (f found) problems(least int) []string {
	return slices.Concat(f.firingProblems(least), f.messageProblems())
}

// firingProblems: from its first to its last each minute of a schedule is there and made one run, of which no other firing knows.
func (f found) firingProblems(least int) (all []string) {
	say := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	if len(f.firings) < least {
		say("%d firings are fewer than %d", len(f.firings), least)
	}
	made := map[string]firing{}
	for i, one := range f.firings {
		if i > 0 && f.firings[i-1].schedule == one.schedule && one.at.Sub(f.firings[i-1].at) != time.Minute {
			say("of %s the firing after %s is that of %s", one.schedule, clock(f.firings[i-1].at), clock(one.at))
		}
		if one.run == "" {
			say("the firing of %s at %s made no run: %s", one.schedule, clock(one.at), one.reason)
			continue
		}
		if other, there := made[one.run]; there {
			say("%s is of two firings, %s at %s and %s at %s", one.run, other.schedule, clock(other.at), one.schedule, clock(one.at))
		}
		made[one.run] = one
	}
	if f.runs != len(made) {
		say("there are %d runs of schedules, and their firings made %d", f.runs, len(made))
	}
	return all
}

// messageProblems: each absence is one notice, and each of them one row for each recipient, which arrived at least once and at most as
// often as it was sent again, always as the same.
func (f found) messageProblems() (all []string) {
	say := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	for name, absences := range f.away {
		if f.notices[name] != absences {
			say("%s was away %d times, and there are %d notices of it", name, absences, f.notices[name])
		}
	}
	of := map[string][]string{}
	for _, m := range f.Messages {
		of[m.Notice] = append(of[m.Notice], m.Channel)
		switch {
		case m.State != "sent":
			say("the %s %s is %s: %s", m.Channel, m.ID, m.State, m.Error)
		case m.Arrived < 1 || m.Arrived > 1+m.Resends:
			say("the %s %s arrived %d times, and was sent again %d times", m.Channel, m.ID, m.Arrived, m.Resends)
		}
	}
	for notice, by := range of {
		if slices.Sort(by); !slices.Equal(by, post.Channels) {
			say("%s is told by %s, and must be by %s", notice, strings.Join(by, ", "), strings.Join(post.Channels, ", "))
		}
	}
	if want := f.absences(); len(of) != want {
		say("%d absences were told, and there were %d", len(of), want)
	}
	if f.losses == 0 {
		say("no sender was killed after its mail was accepted: there were too few mails")
	}
	if f.resends() < f.losses {
		say("%d messages were sent again, and %d had to be", f.resends(), f.losses)
	}
	if f.Forged > 0 {
		say("%d calls of the webhook have a wrong signature", f.Forged)
	}
	if f.Strange > 0 {
		say("%d messages arrived that the outbox does not have", f.Strange)
	}
	slices.Sort(all)
	return all
}

func (f found) print(out io.Writer) {
	twice := 0
	for _, m := range f.Messages {
		if m.Arrived > 1 {
			twice++
		}
	}
	fmt.Fprintf(out, "%d firings, %d runs; replicas killed %d times at random and %d times between the acceptance of a mail and its note.\n",
		len(f.firings), f.runs, f.kills, f.losses)
	fmt.Fprintf(out, "%d absences of machines, %d messages; %d were sent again, and %d arrived more than once, with the id that they had.\n",
		f.absences(), len(f.Messages), f.resends(), twice)
}

func clock(at time.Time) string { return at.UTC().Format("15:04:05 UTC") }
