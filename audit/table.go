package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// row is what was found of a part.
type row struct {
	part
	licences        map[string]int
	vulnerabilities string
}

func printParts(w io.Writer, rows []row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ecosystem\tpart\tcomponents\tknown vulnerabilities\tlicences")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\n", r.Ecosystem, r.Name, len(r.Components), r.vulnerabilities, mostFirst(r.licences))
	}
	t.Flush()
	for _, r := range rows {
		fmt.Fprintf(w, "bill of materials: %s\n", r.BOM)
	}
}

func mostFirst(licences map[string]int) string {
	names := slices.SortedFunc(maps.Keys(licences), func(a, b string) int {
		return cmp.Or(cmp.Compare(licences[b], licences[a]), cmp.Compare(a, b))
	})
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d", n, licences[n])
	}
	return strings.Join(names, ", ")
}

func printAnswers(w io.Writer, answers []answer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "advisory\tpackage\tfixed in\tshipped\tanswer")
	for _, a := range answers {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", a.ID, strings.ReplaceAll(strings.Join(a.Packages, " "), "pkg:", ""), cmp.Or(a.Fixed, "not known"), a.Version, a.Word)
	}
	t.Flush()
}
