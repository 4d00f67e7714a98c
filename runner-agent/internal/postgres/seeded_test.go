package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"loomboard.dev/agent/internal/testbed"
)

// holder is the argument by which a test's own program starts a database in a folder, and waits to be killed.
const holder = "hold-a-database"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == holder {
		hold(os.Args[2])
	}
	os.Exit(m.Run())
}

func hold(folder string) {
	ctx := context.Background()
	p, err := Find(ctx, "")
	var s *Seeded
	if err == nil {
		s, err = p.Prepare(ctx, Options{Folder: folder, JournalDir: filepath.Join(folder, "journal")})
	}
	if err == nil {
		_, err = s.Start(ctx)
	}
	fmt.Println("started", err)
	select {}
}

func programs(t *testing.T) Programs {
	t.Helper()
	p, err := Find(t.Context(), "")
	testbed.Need(t, err, "install PostgreSQL")
	return p
}

// shared is a folder that PostgreSQL's user may enter.
func shared(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "loomboard-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func options(t *testing.T, sql string) Options {
	t.Helper()
	o := Options{Folder: filepath.Join(shared(t), "postgresql"), JournalDir: t.TempDir()}
	if sql != "" {
		o.SQL = filepath.Join(t.TempDir(), "seed.sql") // closed to PostgreSQL's user
		if err := os.WriteFile(o.SQL, []byte(sql), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func prepare(t *testing.T, p Programs, o Options) *Seeded {
	t.Helper()
	s, err := p.Prepare(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func start(t *testing.T, s *Seeded) *Server {
	t.Helper()
	r, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Stop(context.Background()) })
	return r
}

// ask gives what psql says to a statement, as a stranger on this machine with a password.
func ask(t *testing.T, s *Seeded, r *Server, password, statement string) (string, error) {
	t.Helper()
	at := r.address()
	cmd := exec.CommandContext(t.Context(), filepath.Join(s.programs.Folder, "psql"), "--no-psqlrc", "--no-align", "--tuples-only", "--host="+at.host,
		"--port="+at.port, "--username="+r.Database.User, "--dbname="+r.Database.Name, "--command="+statement)
	cmd.Env = []string{"PGPASSWORD=" + password, "PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	said, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(said)), err
}

// within are the processes that stand in a folder.
func within(folder string) (pids []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, folder) {
			pids = append(pids, link)
		}
	}
	return pids
}

// nothingWithin waits for what was killed to be gone.
func nothingWithin(t *testing.T, folder string) {
	t.Helper()
	testbed.Eventually(t, func() error {
		if left := within(folder); len(left) > 0 {
			return fmt.Errorf("still there: %v", left)
		}
		return nil
	})
}

const table = "create table fruit (name text primary key);\ninsert into fruit values ('apple');\n"

func TestStart_gives_each_trial_the_rows_of_the_file_and_none_of_another_trial(t *testing.T) {
	p := programs(t)
	s := prepare(t, p, options(t, table))
	for range 2 {
		r := start(t, s)
		if rows, err := ask(t, s, r, r.Database.Password, "select string_agg(name, ',') from fruit"); err != nil || rows != "apple" {
			t.Errorf("it began with %q, %v", rows, err)
		}
		if said, err := ask(t, s, r, r.Database.Password, "insert into fruit values ('pear')"); err != nil {
			t.Errorf("%q, %v", said, err)
		}
		if err := r.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if left := within(s.Folder); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
		if left, err := os.ReadDir(s.JournalDir); err != nil || len(left) > 0 {
			t.Errorf("in the journal of running servers: %v, %v", left, err)
		}
		if _, err := os.Stat(r.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("its data is left: %v", err)
		}
	}
}

func TestStart_listens_here_alone_asks_for_the_password_and_is_never_root(t *testing.T) {
	p := programs(t)
	s := prepare(t, p, options(t, ""))
	r := start(t, s)
	if !strings.HasPrefix(r.Database.Address, "127.0.0.1:") || len(r.Database.Password) < 20 {
		t.Errorf("%+v", r.Database)
	}
	if said, err := ask(t, s, r, "guessed", "select 1"); err == nil || !strings.Contains(said, "password authentication failed") {
		t.Errorf("by a guessed password: %q, %v", said, err)
	}
	if said, err := ask(t, s, r, r.Database.Password, "select current_setting('listen_addresses') || current_setting('unix_socket_directories')"); err != nil || said != "127.0.0.1" {
		t.Errorf("it listens on %q, %v", said, err)
	}
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(r.Pid()), "status"))
	uid := os.Geteuid()
	if p.User != nil {
		uid = p.User.UID
	}
	if err != nil || uid == 0 || !strings.Contains(string(status), fmt.Sprintf("\nUid:\t%d\t%d\t", uid, uid)) {
		t.Errorf("it must run as user %d: %v\n%s", uid, err, status)
	}
}

func TestPrepare_makes_a_database_once_and_keeps_it_from_everybody_else(t *testing.T) {
	p := programs(t)
	o := options(t, table)
	first, again := prepare(t, p, o), prepare(t, p, o)
	if again.password != first.password || again.Identity.Digest() != first.Identity.Digest() {
		t.Errorf("it was made twice: %+v", again)
	}
	info, err := os.Stat(first.template)
	if err != nil || info.Mode().Perm() != 0o700 || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
		t.Errorf("%v of %v, %v", info.Mode(), info.Sys(), err)
	}
	if err := os.WriteFile(o.SQL, []byte(table+"insert into fruit values ('plum');\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := prepare(t, p, o)
	if other.Identity.Seed == first.Identity.Seed || other.Identity.Digest() == first.Identity.Digest() || other.Identity.Version != first.Identity.Version {
		t.Errorf("filled otherwise it is %+v, before %+v", other.Identity, first.Identity)
	}
	if kept, err := filepath.Glob(filepath.Join(o.Folder, "*")); err != nil || len(kept) != 1 || kept[0] != other.template {
		t.Errorf("kept are %v, %v", kept, err)
	}
}

func TestPrepare_says_which_line_of_the_file_is_wrong_and_leaves_nothing(t *testing.T) {
	p := programs(t)
	o := options(t, table+"insert into vegetable values ('leek');\n")
	_, err := p.Prepare(t.Context(), o)
	for _, says := range []string{o.SQL, ":3: ERROR:", `relation "vegetable" does not exist`} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v says nothing of %q", err, says)
		}
	}
	if kept, err := os.ReadDir(o.Folder); err != nil || len(kept) > 0 || len(within(o.Folder)) > 0 {
		t.Errorf("left are %v, %v, %v", kept, err, within(o.Folder))
	}
	o.SQL = filepath.Join(o.Folder, "none.sql")
	if _, err := p.Prepare(t.Context(), o); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestPrepare_ends_when_it_is_told_to(t *testing.T) {
	p := programs(t)
	o := options(t, "select pg_sleep(3600);\n")
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("the owner said so")
	ended := make(chan error)
	go func() {
		_, err := p.Prepare(ctx, o)
		ended <- err
	}()
	testbed.Eventually(t, func() error { // until it is being filled
		if len(within(o.Folder)) == 0 {
			return errors.New("no PostgreSQL yet")
		}
		return nil
	})
	cancel(enough)
	if err := <-ended; !errors.Is(err, enough) {
		t.Error(err)
	}
	nothingWithin(t, o.Folder)
}

func TestKilled_agent_leaves_no_database(t *testing.T) {
	programs(t)
	folder := shared(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	agent := exec.CommandContext(t.Context(), self, holder, folder)
	out, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	if said, err := bufio.NewReader(out).ReadString('\n'); err != nil || said != "started <nil>\n" {
		t.Errorf("%q, %v", said, err)
	}
	if len(within(folder)) < 2 {
		t.Errorf("runs: %v", within(folder))
	}
	if err := agent.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = agent.Wait() // it was killed
	nothingWithin(t, folder)
}
