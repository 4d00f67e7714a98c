package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// vendored is one line of frontend/static/vendor/VERSIONS: a script that pages load, or what is inside one.
type vendored struct {
	component
	File   string
	SHA256 string
}

const versions = "frontend/static/vendor/VERSIONS"

// vendorFolders are where scripts lie: checked in, and unpacked by the service's build.
var vendorFolders = []string{"frontend/static/vendor", "backend/target/classes/static/vendor"}

func readVendored(root string) ([]vendored, error) {
	f, err := os.Open(filepath.Join(root, versions))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []vendored
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 4 {
			return nil, fmt.Errorf("%s: want file, package URL, licence, sha256: %q", versions, line)
		}
		name, version, err := splitPURL(fields[1])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", versions, err)
		}
		all = append(all, vendored{component{name, version, []string{fields[2]}}, fields[0], fields[3]})
	}
	return all, nil
}

// checkDigests compares every vendored file with its digest, and finds scripts that VERSIONS does not name.
func checkDigests(root string) (right int, problems []string, err error) {
	all, err := readVendored(root)
	if err != nil {
		return 0, nil, err
	}
	want := map[string]string{}
	for _, v := range all {
		want[v.File] = v.SHA256
	}
	seen := map[string]bool{}
	for _, folder := range vendorFolders {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.js"))
		if err != nil {
			return 0, nil, err
		}
		for _, file := range files {
			name := filepath.Base(file)
			text, err := os.ReadFile(file)
			if err != nil {
				return 0, nil, err
			}
			sum := sha256.Sum256(text)
			switch is := hex.EncodeToString(sum[:]); {
			case want[name] == "":
				problems = append(problems, fmt.Sprintf("%s/%s is not in %s", folder, name, versions))
			case want[name] != is:
				problems = append(problems, fmt.Sprintf("%s/%s has the SHA-256 %s, %s says %s", folder, name, is, versions, want[name]))
			case !seen[name]:
				right++
			}
			seen[name] = true
		}
	}
	for name := range want {
		if !seen[name] {
			problems = append(problems, fmt.Sprintf("%s names %s, which is in none of %s", versions, name, strings.Join(vendorFolders, ", ")))
		}
	}
	return right, problems, nil
}
