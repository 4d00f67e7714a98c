// Command audit holds the components that Loomboard ships against audit.yaml: their licences, the advisories that
// were looked into, the digests of vendored files, and known vulnerabilities where a database is given. It writes
// the bills of materials (CycloneDX) that no build tool writes, prints a table, and exits 1 when something is wrong.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", "..", "the repository")
	out := flag.String("out", "build", "where the bills of materials are gathered")
	osv := flag.String("osv", os.Getenv("LOOMBOARD_OSV"), "a folder with <ecosystem>/all.zip of OSV's export (Maven, Go, npm)")
	flag.Parse()
	problems, err := audit(*root, *out, *osv)
	if err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(2)
	}
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, "audit:", p)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

// audit prints what it finds, and gives what has to be mended.
func audit(root, out, osv string) (problems []string, err error) {
	rules, err := readRules(filepath.Join(root, "audit", "audit.yaml"))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	parts, err := gather(root, out, rules)
	if err != nil {
		return nil, err
	}
	database, err := openDatabase(osv)
	if err != nil {
		return nil, err
	}

	var rows []row
	for _, p := range parts {
		licences, wrong := rules.checkLicences(p)
		problems = append(problems, wrong...)
		found, word := database.look(p)
		for _, f := range found {
			if !rules.answers(f) {
				problems = append(problems, f.String()+": update it, or answer it in audit.yaml")
			}
		}
		rows = append(rows, row{p, licences, word})
	}
	digests, wrong, err := checkDigests(root)
	if err != nil {
		return nil, err
	}
	problems = append(problems, wrong...)
	answers, wrong := rules.checkAdvisories(parts)
	problems = append(problems, wrong...)

	printParts(os.Stdout, rows)
	fmt.Printf("\nVendored files whose digest is as frontend/static/vendor/VERSIONS says: %d\n\n", digests)
	printAnswers(os.Stdout, answers)
	return problems, nil
}
