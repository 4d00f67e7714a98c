// Command protocolbench measures the same cells by two protocols, taking turns, and says what each costs and
// how much its launches vary: `warm` holds the adaptive warm-up against ten fixed seconds, `width` holds it
// against the phases of the published constant loads. Each launch is appended to a file of JSON lines, with the
// machine's fingerprint and the commit; the same command goes on where the file ends. A launch is never repeated for what
// it measured: one that is not valid stays in the file and is counted. It is a benchmark, no test: it needs hours of an otherwise idle machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"loomboard.dev/agent/internal/command"
	"loomboard.dev/agent/internal/evidence"
)

// bench is two protocols on the same cells.
type bench struct {
	Before, After string // names of matrices
	Cells         []string
	JDKs          []string // selectors
	Rounds        int
}

var benches = map[string]bench{
	"warm": {
		Before: "warm-fixed",
		After:  "warm-adaptive",
		Cells:  []string{"spring-mvc virtual", "spring-mvc platform-unlimited", "spring-webflux reactive"},
		JDKs:   []string{"21", "25", "28-ea"},
		Rounds: 6,
	},
	"width": {
		Before: "width-published",
		After:  "width-adaptive",
		Cells:  []string{"spring-mvc virtual", "spring-webflux reactive"},
		JDKs:   []string{"25"},
		Rounds: 5,
	},
}

type options struct {
	bench
	name, agent, servers, out, lock string
	most                            time.Duration
	tableOnly                       bool
}

func main() {
	command.Main("protocolbench", func(ctx context.Context) error {
		o, err := parse()
		if err != nil {
			return err
		}
		return run(ctx, o)
	})
}

func parse() (o options, err error) {
	var jdks, cells string
	flag.StringVar(&o.agent, "agent", "build/loomboard-agent", "the agent that measures")
	flag.StringVar(&o.servers, "servers", "../sample-servers", "folder of the sample servers")
	flag.StringVar(&o.out, "out", "", "file of JSON lines to append to (default evidence/BENCH.jsonl)")
	flag.StringVar(&jdks, "jdk", "", "selectors in place of the bench's, such as 21,25,28-ea")
	flag.StringVar(&cells, "cells", "", `cells in place of the bench's, such as "spring-mvc virtual,spring-webflux reactive"`)
	rounds := flag.Int("rounds", 0, "launches of each cell by each protocol, in place of the bench's")
	flag.DurationVar(&o.most, "most", 150*time.Minute, "begin no launch after this long")
	flag.StringVar(&o.lock, "lock", "", "hold this file's lock during each launch, so that other work on the machine can wait for it: flock FILE make")
	flag.BoolVar(&o.tableOnly, "table", false, "measure nothing, print the table of what the file holds")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: protocolbench [options] warm|width")
		flag.PrintDefaults()
	}
	flag.Parse()
	o.name = flag.Arg(0)
	chosen, known := benches[o.name]
	if !known || flag.NArg() != 1 {
		return o, errors.New("name one bench: warm or width; --help says more")
	}
	o.bench = chosen
	if jdks != "" {
		o.JDKs = strings.Split(jdks, ",")
	}
	if cells != "" {
		o.Cells = strings.Split(cells, ",")
	}
	if *rounds > 0 {
		o.Rounds = *rounds
	}
	if o.out == "" {
		o.out = "evidence/" + o.name + ".jsonl"
	}
	return o, nil
}

func run(ctx context.Context, o options) error {
	file, err := evidence.Open[launch](o.out)
	if err != nil {
		return err
	}
	if !o.tableOnly {
		if err := measureAll(ctx, o, file); err != nil {
			return err
		}
	}
	return printTables(os.Stdout, o.bench, file.All)
}
