package jdk

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/api"
)

// flagLine is one line of -XX:+PrintFlagsFinal: type, name, value, kind, origin.
var flagLine = regexp.MustCompile(`^\s*\S+\s+(\w+)\s+:?=\s*(.*?)\s*\{([^}]*)\}\s*\{([^}]*)\}\s*$`)

// longestValue is more than any flag has that a JDK sets itself.
const longestValue = 200

// sharedBaseAddress is where the class archive happens to lie: another at each start, it says nothing of the build.
const sharedBaseAddress = "SharedBaseAddress"

// Flags are all flags of a build as its JVM has them on this machine when it is given no options, diagnostic and experimental ones too.
func (b Build) Flags(ctx context.Context) (api.JDKFlags, error) {
	out, err := run(ctx, b.Java(), "-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions", "-XX:+PrintFlagsFinal", "-version")
	if err != nil {
		return api.JDKFlags{}, err
	}
	flags := parseFlags(out)
	if len(flags) == 0 {
		return api.JDKFlags{}, fmt.Errorf("%s -XX:+PrintFlagsFinal prints no flags", b.Java())
	}
	delete(flags, sharedBaseAddress)
	return api.JDKFlags{Flags: flags}, nil
}

// option is one that sets a flag: on or off, or to a value.
var option = regexp.MustCompile(`^-XX:(?:([+-])(\w+)|(\w+)=(\S*))$`)

// unlocking changes nothing by itself.
var unlocking = []string{"-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions"}

// OwnDefaults are those of the options that set a flag to a value that one of the builds has by itself, and what unlocks such flags.
func OwnDefaults(ctx context.Context, builds []Build, options []string) (own []string, err error) {
	for _, b := range builds {
		flags, err := b.Flags(ctx)
		if err != nil {
			return nil, err
		}
		for _, o := range options {
			if name, value := set(o); flags.Flags[name].Origin != "" && flags.Flags[name].Value == value && !slices.Contains(own, o) {
				own = append(own, o)
			}
		}
	}
	if len(own) > 0 {
		own = append(own, unlocking...)
	}
	return own, nil
}

// set is what an option sets; without a name it sets no flag.
func set(o string) (name, value string) {
	m := option.FindStringSubmatch(o)
	switch {
	case m == nil:
		return "", ""
	case m[1] == "+":
		return m[2], "true"
	case m[1] == "-":
		return m[2], "false"
	}
	return m[3], m[4]
}

// parseFlags leaves out what the command line above set.
func parseFlags(out string) map[string]api.JDKFlag {
	flags := map[string]api.JDKFlag{}
	for line := range strings.Lines(out) {
		m := flagLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil || len(m[2]) > longestValue || m[4] != api.FlagDefault && m[4] != api.FlagErgonomic {
			continue
		}
		flags[m[1]] = api.JDKFlag{Value: m[2], Kind: kindOf(m[3]), Origin: m[4]}
	}
	return flags
}

// kindOf leaves out of "pd product", "C2 diagnostic" or "ARCH experimental" where in the sources a flag stands.
func kindOf(words string) string {
	for _, kind := range []string{"diagnostic", "experimental", "manageable"} {
		if strings.Contains(words, kind) {
			return kind
		}
	}
	return "product"
}
