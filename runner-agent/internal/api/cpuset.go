package api

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// CPUSets are the CPUs of server, load and agent; when they share all cores, Shared says why.
type CPUSets struct {
	Server CPUSet `json:"server,omitempty"`
	Load   CPUSet `json:"load,omitempty"`
	Agent  CPUSet `json:"agent,omitempty"`
	Shared string `json:"shared,omitempty"` // why they share all cores
}

// Apart says that server and load have no CPU in common.
func (s CPUSets) Apart() bool { return len(s.Server) > 0 }

// String is for people.
func (s CPUSets) String() string {
	if !s.Apart() {
		return "all share all cores: " + cmp.Or(s.Shared, "not pinned")
	}
	return fmt.Sprintf("server %v, load %v, agent %v", s.Server, s.Load, s.Agent)
}

// CPUSet is CPUs, ascending. Its text is what the kernel writes: 0-2,5. Empty: all.
type CPUSet []int

// String is the text.
func (s CPUSet) String() string {
	var out []string
	for i := 0; i < len(s); {
		last := i
		for last+1 < len(s) && s[last+1] == s[last]+1 {
			last++
		}
		part := strconv.Itoa(s[i])
		if last > i {
			part += "-" + strconv.Itoa(s[last])
		}
		out = append(out, part)
		i = last + 1
	}
	return strings.Join(out, ",")
}

// MarshalText is the text.
func (s CPUSet) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text.
func (s *CPUSet) UnmarshalText(text []byte) error {
	*s = nil
	for part := range strings.SplitSeq(string(text), ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first < 0 || last < first || last >= MostCPUs {
			return fmt.Errorf("CPUs %q are not of the form 0-2,5", text)
		}
		for cpu := first; cpu <= last; cpu++ {
			*s = append(*s, cpu)
		}
	}
	return nil
}

// MostCPUs is how many one call to the kernel takes.
const MostCPUs = 1024
