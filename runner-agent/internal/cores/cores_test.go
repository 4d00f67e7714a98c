package cores

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/api"
	"loomboard.dev/agent/internal/testbed"
)

// tree is a machine whose CPUs 0 to n-1 are threads of cores, as siblings says.
func tree(t *testing.T, allowed string, core func(cpu int) int, n int) string {
	t.Helper()
	files := map[string]string{"proc/self/status": "Name:\tagent\nCpus_allowed_list:\t" + allowed + "\n"}
	for cpu := range n {
		dir := "sys/devices/system/cpu/cpu" + strconv.Itoa(cpu) + "/topology/"
		files[dir+"physical_package_id"] = "0\n"
		files[dir+"core_id"] = strconv.Itoa(core(cpu)) + "\n"
	}
	return testbed.Tree(t, files)
}

func own(cpu int) int { return cpu }

func TestDivide_keeps_threads_of_a_core_together_and_sets_apart(t *testing.T) {
	for name, c := range map[string]struct {
		root string
		mode Mode
		want string
	}{
		"four cores":              {tree(t, "0-3", own, 4), Auto, "server 2-3, load 1, agent 0"},
		"eight cores":             {tree(t, "0-7", own, 8), Auto, "server 3-7, load 1-2, agent 0"},
		"64 cores":                {tree(t, "0-63", own, 64), Auto, "server 5-63, load 1-4, agent 0"},
		"four cores, two threads": {tree(t, "0-7", func(cpu int) int { return cpu % 4 }, 8), Auto, "server 2-3,6-7, load 1,5, agent 0,4"},
		"those it may use":        {tree(t, "2-5,9", own, 12), Auto, "server 4-5,9, load 3, agent 2"},
		"three cores, wanted":     {tree(t, "0-2", own, 3), Apart, "server 2, load 1, agent 0"},
		"two cores, wanted":       {tree(t, "0-1", own, 2), Apart, "server 1, load 0, agent 0"},
		"two cores":               {tree(t, "0-1", own, 2), Auto, "all share all cores: 2 cores, keeping them apart by itself needs 4"},
		"two cores of threads":    {tree(t, "0-3", func(cpu int) int { return cpu / 2 }, 4), Auto, "all share all cores: 2 cores, keeping them apart by itself needs 4"},
		"not wanted":              {tree(t, "0-7", own, 8), Shared, "all share all cores: the machine's owner wants it so"},
		"no topology":             {tree(t, "0-3", own, 0), Auto, "server 2-3, load 1, agent 0"},
	} {
		got, err := Divide(c.root, c.mode)
		if err != nil || got.String() != c.want {
			t.Errorf("%s: %v, %v; want %s", name, got, err, c.want)
		}
	}
	if got, err := Divide(tree(t, "0", own, 1), Apart); err == nil || !strings.Contains(err.Error(), "on 1 core;") {
		t.Errorf("one core cannot be two: %v, %v", got, err)
	}
	if got, err := Divide(t.TempDir(), Auto); err != nil || got.Apart() || got.Shared == "" {
		t.Errorf("of an empty tree: %v, %v", got, err)
	}
	if _, err := Divide(t.TempDir(), Apart); err == nil {
		t.Error("of an empty tree apart was granted")
	}
}

func TestSet_is_written_as_the_kernel_does(t *testing.T) {
	for text, n := range map[string]int{"0": 1, "0-3": 4, "0,2,4": 3, "1-2,7-9,1023": 6} {
		var set api.CPUSet
		if err := set.UnmarshalText([]byte(text)); err != nil || set.String() != text || len(set) != n {
			t.Errorf("%s: %v, %v", text, set, err)
		}
	}
	for _, text := range []string{"", "a", "3-1", "-1", "0-1024", "1-2-3", "0,"} {
		if err := new(api.CPUSet).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	text, err := json.Marshal(api.CPUSets{Server: api.CPUSet{1, 2}, Load: api.CPUSet{0}, Agent: api.CPUSet{0}})
	if err != nil || string(text) != `{"server":"1-2","load":"0","agent":"0"}` {
		t.Errorf("%s, %v", text, err)
	}
	if text, err = json.Marshal(api.CPUSets{Shared: "two cores"}); err != nil || string(text) != `{"shared":"two cores"}` {
		t.Errorf("%s, %v", text, err)
	}
}

func TestParseMode(t *testing.T) {
	if mode, err := ParseMode(""); err != nil || mode != Auto {
		t.Errorf("%v, %v", mode, err)
	}
	if _, err := ParseMode("own"); err == nil {
		t.Error("an unknown mode was taken")
	}
}
