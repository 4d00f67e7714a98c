package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Problems is everything wrong with one file, at once.
type Problems struct {
	Path string
	List []string
}

func (p *Problems) Error() string {
	return p.Path + " is not valid:\n  - " + strings.Join(p.List, "\n  - ")
}

func (p *Problems) addf(format string, args ...any) {
	p.List = append(p.List, fmt.Sprintf(format, args...))
}

// orNil is the error to return: a nil *Problems in an error is not nil.
func (p *Problems) orNil() error {
	if len(p.List) == 0 {
		return nil
	}
	return p
}

// decode reads one strict YAML document: unknown fields and wrong types are
// added to the problems, everything that does fit is in out.
func decode(path string, out any) (*Problems, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	problems := &Problems{Path: path}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err = d.Decode(out)
	var wrong *yaml.TypeError
	switch {
	case errors.Is(err, io.EOF):
		problems.addf("the file is empty")
	case errors.As(err, &wrong):
		problems.List = append(problems.List, wrong.Errors...)
	case err != nil:
		problems.addf("%s", strings.TrimPrefix(err.Error(), "yaml: "))
	case !errors.Is(d.Decode(new(yaml.Node)), io.EOF):
		problems.addf("there is more than one document in the file")
	}
	return problems, nil
}
