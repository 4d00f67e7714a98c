// Command release puts together what is released, from what `make release` has built: archives of the agent and of the service,
// packages of the servers, their list, their digests. The same files and commit give the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	var r release
	flag.StringVar(&r.root, "root", "..", "the repository")
	flag.StringVar(&r.out, "out", "../build/release", "folder that is made anew")
	flag.StringVar(&r.version, "version", "", "version of all that is released")
	seconds := flag.Int64("time", 0, "time of all files, in seconds since 1970: the commit's")
	flag.Parse()
	if r.version == "" || *seconds <= 0 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "release: -version and -time are needed; make release gives both")
		os.Exit(2)
	}
	r.at, r.says = time.Unix(*seconds, 0), os.Stdout
	if err := r.make(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}
