package testbed

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// told is a test that notes how it was ended.
type told struct {
	testing.TB
	how string
}

func (*told) Helper() {}

func (r *told) Skipf(format string, args ...any) { r.how = "skipped: " + fmt.Sprintf(format, args...) }

func (r *told) Fatalf(format string, args ...any) { r.how = "failed: " + fmt.Sprintf(format, args...) }

func TestNeed_skips_on_a_developers_machine_and_fails_where_everything_must_be_there(t *testing.T) {
	none := errors.New("no nginx")
	for _, c := range []struct {
		everything string
		need       func(testing.TB)
		want       string // how it begins
	}{
		{"", func(t testing.TB) { Need(t, none, "install it") }, "skipped: no nginx: install it"},
		{"1", func(t testing.TB) { Need(t, none, "install it") }, "failed: no nginx: install it"},
		{"1", func(t testing.TB) { Need(t, nil, "install it") }, ""},
		{"", func(t testing.TB) { NeedJDK(t, 0) }, "skipped: no JDK"},
		{"1", func(t testing.TB) { NeedJDK(t, 0) }, "failed: no JDK"},
		{"1", func(t testing.TB) { NeedJDK(t, 1) }, ""},
		{"", func(t testing.TB) { NeedPrivilege(t, none, "be root") }, "skipped"},
		{"1", func(t testing.TB) { NeedPrivilege(t, none, "be root") }, "skipped"},
		{Privileged, func(t testing.TB) { NeedPrivilege(t, none, "be root") }, "failed"},
		{Privileged, func(t testing.TB) { Need(t, none, "install it") }, "failed"},
	} {
		t.Setenv(Everything, c.everything)
		r := &told{}
		if c.need(r); !strings.HasPrefix(r.how, c.want) || (r.how == "") != (c.want == "") {
			t.Errorf("with %q: %q, want %q", c.everything, r.how, c.want)
		}
	}
}
