package main

import (
	"slices"
	"testing"
)

const logged = `2026-11-21 19:00:00.000 UTC [7] LOG:  checkpoint starting: time
2026-11-21 19:00:01.000 UTC [8] LOG:  duration: 1.250 ms  plan:
	Query Text: select p.mean
	  from point p where p.series_id = any($1)
	Query Parameters: $1 = '{7}'
	Limit  (cost=0.42..8.44 rows=1 width=8) (actual time=0.02..0.03 rows=1.00 loops=1)
	  Buffers: shared hit=7 read=2
	  ->  Index Scan using point_series_measured_ix on point p  (cost=0.42..8.44 rows=1 width=8)
	        Buffers: shared hit=3
2026-11-21 19:00:02.000 UTC [8] LOG:  duration: 90.000 ms  plan:
	Query Text: select scenario_key from leaderboard_entry e join machine m using (machine_id)
	Hash Join  (cost=1.00..2.00 rows=1 width=8)
	  Buffers: shared hit=900
	  ->  Seq Scan on leaderboard_entry e  (cost=0.00..1.00 rows=1 width=8) (actual time=0.1..6.3 rows=60.00 loops=1)
	        Filter: (visibility = 'public'::text)
	        Rows Removed by Filter: 40
	  ->  Seq Scan on annotation a  (cost=0.00..1.00 rows=1 width=8) (actual time=0.1..6.3 rows=99.00 loops=1)
	  ->  Seq Scan on machine m  (cost=0.00..1.00 rows=1 width=8) (actual rows=500.00 loops=1)
2026-11-21 19:00:03.000 UTC [9] LOG:  duration: 2.000 ms  plan:
	Query Text: select p.mean
	  from point p where p.series_id = any($1)
	Limit  (cost=0.42..8.44 rows=1 width=8)
	  Buffers: shared hit=70
	  ->  Parallel Seq Scan on point p  (cost=0.42..8.44 rows=1 width=8) (actual time=0.1..6.3 rows=100.00 loops=2)
2026-11-21 19:00:04.000 UTC [9] LOG:  duration: 2.000 ms  plan:
	Query Text: select 1 from qrtz_locks
	Seq Scan on qrtz_locks  (cost=0.42..8.44 rows=1 width=8)
`

func TestPlans_say_what_was_read_and_which_tables_whole(t *testing.T) {
	all := plans(logged)
	if len(all) != 3 {
		t.Fatalf("%d plans: %+v", len(all), all)
	}
	first := all[0]
	if first.Ms != 1.25 || first.Buffers != 9 || first.Query != "select p.mean from point p where p.series_id = any($1)" || len(first.Whole) != 0 {
		t.Errorf("%+v", first)
	}
	if !slices.Equal(all[1].Whole, []string{"leaderboard_entry"}) { // machines are few, and so are those annotations
		t.Errorf("read whole: %v", all[1].Whole)
	}
}

func TestWorst_keeps_of_each_query_the_plan_with_a_scan(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}} {
		all := plans(logged)
		var known []plan
		for _, i := range order {
			known = worst(known, all[i:i+1])
		}
		at := slices.IndexFunc(known, func(p plan) bool { return p.Query == all[0].Query })
		if len(known) != 2 || !slices.Equal(known[at].Whole, []string{"point"}) {
			t.Errorf("in the order %v: %+v", order, known)
		}
	}
}
