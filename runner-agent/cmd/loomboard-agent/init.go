package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loomboard.dev/agent/internal/draft"
	"loomboard.dev/agent/internal/jdk"
)

// initServer writes a first server folder.
func initServer(ctx context.Context, args []string) error {
	var w draft.Wish
	var selectors, database string
	args, command := beforeDashes(args)
	words, help, err := flagsOf("init", "init APP.jar [-- ARGUMENTS] | init -- java -cp 'lib/*' MAIN-CLASS | init -- COMMAND ARGUMENTS | init http://localhost:8080\n\n"+
		"Starts an application, finds out its port and what it can be asked, and writes a folder with server.yaml and workloads.yaml for it.\n"+
		"In arguments {port} stands for a free port; otherwise the port is passed in the way of the framework, or in the variable PORT.", args, func(f *flag.FlagSet) {
		f.StringVar(&w.Name, "name", "", "of the server (default: made from the jar, program or address)")
		f.StringVar(&w.Folder, "into", "", "folder to write to (default: ./NAME)")
		f.StringVar(&w.Path, "path", "", "what it is asked first, such as /api/items, or the path beneath which all of it lies (default /)")
		f.Func("env", "`NAME=VALUE` of a variable that the application gets, {port} in it for the port; NAME alone: as it is here; server.yaml then has the value; may be repeated",
			func(given string) error { return setVariable(&w, given) })
		f.StringVar(&database, "database", "", "PostgreSQL that it asks: start, which starts a fresh one each time, filled by database.sql in the folder if that is there, "+
			"or postgres://user:password@host:port/name; {database}, {databaseUser} in arguments stand for it, Spring Boot is told by its own settings")
		f.BoolVar(&w.Force, "force", false, "overwrite files that are there")
		f.StringVar(&selectors, "jdk", "all", "JDKs that a jar is tried on, such as 25,28-ea; which Java it needs is read from its classes")
		f.DurationVar(&w.Within, "within", time.Minute, "how long a start may take")
	})
	if help || err != nil {
		return err
	}
	if err := choose(&w, words, command); err != nil {
		return wrongUse("init", err)
	}
	if w.Path != "" && !strings.HasPrefix(w.Path, "/") {
		return wrongUse("init", fmt.Errorf("--path is %q, and a path begins with /", w.Path))
	}
	if w.Jar != "" || draft.StartsJVM(w.Command) {
		found, err := jdk.Discover(ctx, jdkOptions(""))
		if err != nil {
			return err
		}
		if len(found.Builds) == 0 {
			return errNoJDK
		}
		if w.Builds, _, err = jdk.Resolve(found.Builds, strings.Split(selectors, ","), 0); err != nil {
			return err
		}
		slices.SortStableFunc(w.Builds, func(a, b jdk.Build) int { return b.Version.Compare(a.Version) })
	}
	forTry, err := withDatabase(ctx, &w, database)
	if err != nil {
		return err
	}
	defer os.RemoveAll(w.Work)
	w.Says = os.Stdout
	folder, err := draft.Make(ctx, w)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	folder = fromHere(folder)
	fmt.Printf("Wrote server.yaml and workloads.yaml in %s. Read them, then: loomboard-agent try %s%s\n", folder, folder, forTry)
	return nil
}

func setVariable(w *draft.Wish, given string) error {
	name, value, said := strings.Cut(given, "=")
	if !said {
		if value, said = os.LookupEnv(name); !said {
			return fmt.Errorf("there is no variable %s here: give its value by NAME=VALUE", name)
		}
	}
	if w.Environment == nil {
		w.Environment = map[string]string{}
	}
	w.Environment[name] = value
	return nil
}

// fromHere is a path as somebody who is here would type it.
func fromHere(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(here, path); err == nil && len(short) < len(path) {
		return short
	}
	return path
}

// beforeDashes parts what is ours from what is the application's.
func beforeDashes(args []string) (ours, theirs []string) {
	if at := slices.Index(args, "--"); at >= 0 {
		return args[:at], args[at+1:]
	}
	return args, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// choose tells jar, command and address apart.
func choose(w *draft.Wish, words, command []string) error {
	switch {
	case len(words) == 0 && len(command) > 0:
		w.Command = command
	case len(words) == 0:
		return errors.New("name a jar, a command after --, or the address of an application that runs")
	case len(words) > 1:
		return fmt.Errorf("%q is not expected: what an application is given stands after --", words[1])
	case strings.HasPrefix(words[0], "http://") || strings.HasPrefix(words[0], "https://"):
		if w.URL = words[0]; len(command) > 0 || len(w.Environment) > 0 {
			return fmt.Errorf("%s runs already, so it is given nothing: leave out --env, and what stands after --", words[0])
		}
	case strings.EqualFold(filepath.Ext(words[0]), ".jar"), strings.EqualFold(filepath.Ext(words[0]), ".war"):
		w.Jar, w.Command = words[0], command
	case isFolder(words[0]):
		return fmt.Errorf("%s is a folder: name the jar or the program that was built, such as target/app.jar or build/libs/app.jar", words[0])
	default:
		w.Command = append([]string{words[0]}, command...)
	}
	return nil
}
