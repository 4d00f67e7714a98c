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
	flag.StringVar(&r.out, "out", "../build/release", "folder that is recreated")
	flag.StringVar(&r.version, "version", "", "version of all that is released")
	seconds := flag.Int64("time", 0, "time of all files, in seconds since 1970: the commit's")
	keyFile := flag.String("key", "", "file with the publisher's private key (Ed25519, PKCS #8, PEM), which signs the list of digests; "+
		"empty: the release is unsigned")
	showPublisher := flag.Bool("publisher", false, "only print the public half of that key, which agents are built with")
	flag.Parse()
	if err := r.signedBy(*keyFile); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
	if *showPublisher {
		if r.key != nil {
			fmt.Println(r.key.Publisher())
		}
		return
	}
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
