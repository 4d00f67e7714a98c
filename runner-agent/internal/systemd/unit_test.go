package systemd

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

var update = flag.Bool("update", false, "write the golden files anew")

var cases = map[string]Options{
	"own-user": {Agent: "/usr/local/bin/loomboard-agent", Home: "/var/lib/loomboard-agent"},
	"isolated": {Agent: "/usr/local/bin/loomboard-agent", Home: "/var/lib/loomboard-agent", JDKs: "/srv/jdks", Isolate: true},
}

func TestUnit_isAsItsGoldenFile(t *testing.T) {
	for name, o := range cases {
		got, err := Unit(o)
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name+".service")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || got != string(want) {
			t.Errorf("%s differs from %s (go test ./internal/systemd -update, and read the difference): %v\n%s", name, golden, err, got)
		}
	}
}

// What systemd makes a filter of system calls or packets for. A server under test would inherit it.
var filters = regexp.MustCompile(`(?m)^(SystemCall\w+|Restrict\w+|ProtectKernel\w+|ProtectClock|ProtectHostname|PrivateDevices|` +
	`LockPersonality|MemoryDenyWriteExecute|IPAddress\w+|IPIngress\w+|IPEgress\w+|PrivateUsers)=`)

func TestUnit_slowsNoServerDown(t *testing.T) {
	for name, o := range cases {
		text, err := Unit(o)
		if err != nil {
			t.Fatal(err)
		}
		if found := filters.FindAllString(text, -1); len(found) > 0 {
			t.Errorf("%s: %v filter what servers do", name, found)
		}
	}
}

func TestUnit_isTakenBySystemd(t *testing.T) {
	verify, err := exec.LookPath("systemd-analyze")
	testbed.Need(t, err, "install systemd")
	agent, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range cases {
		o.Agent = agent
		text, err := Unit(o)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), UnitName)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		said, err := exec.CommandContext(t.Context(), verify, "verify", "--man=no", path).CombinedOutput()
		if err != nil || bytes.Contains(said, []byte(UnitName)) {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
	}
}

func TestInstall_makesOnlyTheUserThatIsMissing(t *testing.T) {
	words := func(commands []Command) string {
		var lines []string
		for _, c := range commands {
			lines = append(lines, strings.Join(c, " "))
		}
		return strings.Join(lines, "\n")
	}
	for _, c := range []struct {
		isolate, there bool
		before         string
	}{
		{false, false, "useradd --system --user-group --no-create-home --shell /usr/sbin/nologin --home-dir /var/lib/loomboard-agent " +
			"loomboard-agent\nchown -hR loomboard-agent:loomboard-agent /var/lib/loomboard-agent"},
		{false, true, "chown -hR loomboard-agent:loomboard-agent /var/lib/loomboard-agent"},
		{true, false, "useradd --system --user-group --no-create-home --shell /usr/sbin/nologin loomboard-server\n" +
			"chown -hR root:root /var/lib/loomboard-agent"},
		{true, true, "chown -hR root:root /var/lib/loomboard-agent"},
	} {
		o := cases["own-user"]
		o.Isolate = c.isolate
		before, after := Install(o, func(string) bool { return c.there })
		if words(before) != c.before {
			t.Errorf("isolate %v, there %v:\n%s", c.isolate, c.there, words(before))
		}
		if want := "systemctl daemon-reload\nsystemctl enable loomboard-agent.service\nsystemctl restart loomboard-agent.service"; words(after) != want {
			t.Errorf("afterwards:\n%s", words(after))
		}
	}
}
