package truthserver

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const forms = "fixed:D, uniform:FROM,TO, exponential:MEAN, lognormal:MEDIAN,SIGMA"

// ParseDistribution reads one of forms, such as lognormal:5ms,0.6. Empty: no delay.
func ParseDistribution(text string) (Distribution, error) {
	if text == "" {
		return Distribution{}, nil
	}
	kind, numbers, _ := strings.Cut(text, ":")
	first, second, _ := strings.Cut(numbers, ",")
	d := Distribution{Kind: kind}
	var err error
	if d.A, err = time.ParseDuration(first); err == nil && kind == "uniform" {
		d.B, err = time.ParseDuration(second)
	} else if err == nil && kind == "lognormal" {
		d.Sigma, err = strconv.ParseFloat(second, 64)
	}
	if err == nil {
		err = d.validate()
	}
	if err != nil {
		return Distribution{}, fmt.Errorf("delay %q must be one of %s: %w", text, forms, err)
	}
	return d, nil
}

// parseFlags reads the command line of Main.
func parseFlags(args []string) (listen string, b Behaviour, err error) {
	flags := flag.NewFlagSet("truth", flag.ContinueOnError)
	flags.StringVar(&listen, "listen", "127.0.0.1:0", "IPv4 address and port; port 0: any free one")
	flags.Func("delay", "how long requests are held: "+forms, func(text string) (err error) {
		b.Delay, err = ParseDistribution(text)
		return err
	})
	flags.DurationVar(&b.Freeze, "freeze", 0, "how long it freezes at the start of every period")
	flags.DurationVar(&b.Period, "period", 2*time.Second, "how often it freezes, by the wall clock")
	flags.Uint64Var(&b.FailEvery, "fail-every", 0, "answer every n-th request with 503")
	flags.Uint64Var(&b.DropEvery, "drop-every", 0, "close the connection of every n-th request without an answer")
	flags.IntVar(&b.Body, "body", 2, "bytes of each answer's body")
	flags.BoolVar(&b.Awake, "awake", false, "never sleep: quicker by what it takes to wake, for a core of its own")
	if err := flags.Parse(args); err != nil {
		return "", b, err
	}
	return listen, b, b.Validate()
}
