// Package systemd makes the agent a service of its machine: the unit, its user, and the commands that an administrator would type.
package systemd

import (
	"bytes"
	"embed"
	"text/template"
)

// Names on the machine.
const (
	UnitName   = "loomboard-agent.service"
	UnitPath   = "/etc/systemd/system/" + UnitName
	AgentUser  = "loomboard-agent"
	ServerUser = "loomboard-server"
)

// Options decide how the agent runs.
type Options struct {
	Agent string // the program
	Home  string // below /var/lib
	JDKs  string // of LOOMBOARD_JDKS; empty: the usual folders
	// Isolate runs servers as a user of their own, for which the agent must be root: HotSpot lets nobody attach but root and
	// the JVM's own user.
	Isolate bool
}

// Rights are those of root that an isolating agent keeps: the ones that internal/server asks for.
const Rights = "CAP_CHOWN CAP_DAC_OVERRIDE CAP_KILL CAP_SETGID CAP_SETUID CAP_SYS_PTRACE"

//go:embed loomboard-agent.service.tmpl
var files embed.FS

// Unit is the text of the unit.
func Unit(o Options) (string, error) {
	text, err := template.ParseFS(files, "*.tmpl")
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = text.Execute(&out, map[string]any{"Options": o, "User": AgentUser, "Rights": Rights})
	return out.String(), err
}

// Command is one that an administrator would type.
type Command []string

// Install are the commands before and after the unit is written. Users that are there already are left as they are.
func Install(o Options, there func(user string) bool) (before, after []Command) {
	user := AgentUser
	if o.Isolate {
		user = ServerUser
	}
	if !there(user) {
		add := Command{"useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"}
		if !o.Isolate {
			add = append(add, "--home-dir", o.Home)
		}
		before = append(before, append(add, user))
	}
	owner := "root:root"
	if !o.Isolate {
		owner = AgentUser + ":" + AgentUser
	}
	before = append(before, Command{"chown", "-hR", owner, o.Home}) // what root has put there until now, too
	return before, []Command{{"systemctl", "daemon-reload"}, {"systemctl", "enable", UnitName}, {"systemctl", "restart", UnitName}}
}

// Uninstall are the commands before and after the unit is removed.
func Uninstall() (before, after []Command) {
	return []Command{{"systemctl", "disable", "--now", UnitName}}, []Command{{"systemctl", "daemon-reload"}}
}

// Status is the command that shows how it is.
func Status() Command { return Command{"systemctl", "--no-pager", "status", UnitName} }
