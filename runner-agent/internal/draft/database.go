package draft

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"loomboard.dev/agent/internal/server"
)

// StartDatabase gives the database that an application asks, and what is to be done when the application has ended. SQL is a file that
// fills it; empty: nothing does.
type StartDatabase func(ctx context.Context, sql string) (*server.Database, func(context.Context) error, error)

const asksDatabase = "{database" // what all placeholders of a database begin with

// takeDatabase has the application told where its database is, by those of its arguments that say so, or in Spring Boot's own settings.
func (d *draft) takeDatabase() error {
	tells := func(word string) bool { return strings.Contains(word, asksDatabase) }
	told := slices.ContainsFunc(d.spec.Command, tells)
	switch {
	case d.Database == nil && !told:
		return nil
	case d.Database == nil:
		return errors.New("{database} stands for the address of a database: name one by --database, or have one started by --database start")
	case d.spec.Kind == server.KindURL:
		return fmt.Errorf("%s runs already, so it is given no database: leave out --database", d.URL)
	}
	for _, word := range d.spec.Command {
		if tells(word) && strings.HasPrefix(word, "-D") {
			return fmt.Errorf("%s is an option of the JVM, and the address of a database is known only to arguments: give it as one, or name the database there by its own address", word)
		}
		if tells(word) {
			d.spec.Database = append(d.spec.Database, word)
		}
	}
	d.spec.Command = slices.DeleteFunc(d.spec.Command, tells)
	if !told {
		found, err := d.springDatabase()
		if err != nil {
			return err
		}
		d.spec.Database = found
	}
	if len(d.spec.Database) == 0 {
		return errors.New("how it gets the address of its database is not known: say it by an argument, such as -- --db=jdbc:postgresql://{database} --user={databaseUser}; " +
			"the password is in the variable LOOMBOARD_DATABASE_PASSWORD")
	}
	d.why["database"] = "given for workloads that say database: true"
	return nil
}

// springDatabase are Spring Boot's settings for those drivers of PostgreSQL that its jar has.
func (d *draft) springDatabase() (settings []string, err error) {
	if !strings.HasPrefix(d.spec.Framework, springBoot) {
		return nil, nil
	}
	jar, err := zip.OpenReader(d.Jar)
	if err != nil {
		return nil, err
	}
	defer jar.Close()
	for _, driver := range []struct{ jar, settings, scheme string }{
		{"postgresql-", "spring.datasource", "jdbc:postgresql"}, {"r2dbc-postgresql-", "spring.r2dbc", "r2dbc:postgresql"},
	} {
		has := func(f *zip.File) bool { return strings.HasPrefix(path.Base(f.Name), driver.jar) && isArchive(f.Name) }
		if !slices.ContainsFunc(jar.File, has) {
			continue
		}
		name := "--" + driver.settings
		settings = append(settings, name+".url="+driver.scheme+"://{database}", name+".username={databaseUser}", name+".password=${LOOMBOARD_DATABASE_PASSWORD}")
	}
	if len(settings) == 0 {
		return nil, fmt.Errorf("%s has no driver of PostgreSQL, which is the only database that workloads ask: leave out --database", d.Jar)
	}
	return settings, nil
}

// start starts the application, and first the database that it asks. What ends both says what went wrong.
func (d *draft) start(ctx context.Context, l server.Launch) (p *server.Process, end func(context.Context) error, err error) {
	stop := func(context.Context) error { return nil }
	if d.Database != nil {
		if l.Database, stop, err = d.Database(ctx, d.seed); err != nil {
			return nil, nil, err
		}
	}
	if p, err = server.Start(ctx, l); err != nil {
		return nil, nil, errors.Join(err, stop(ctx))
	}
	return p, func(ctx context.Context) error {
		_, ended := p.Stop(ctx)
		return errors.Join(ended, stop(ctx))
	}, nil
}
