package sample

// Lazy is a source that cannot be opened yet: the counters of a JVM that is just
// starting. Until it can, its columns are missing.
type Lazy struct {
	name    string
	columns []string
	open    func() (Source, error)
	source  Source
}

// NewLazy tries open at every reading until it succeeds.
func NewLazy(name string, columns []string, open func() (Source, error)) *Lazy {
	return &Lazy{name: name, columns: columns, open: open}
}

// Name of the source.
func (l *Lazy) Name() string { return l.name }

// Columns of the source.
func (l *Lazy) Columns() []string { return l.columns }

// Read opens the source when it can and reads it.
func (l *Lazy) Read(dst []float64) error {
	if l.source == nil {
		source, err := l.open()
		if err != nil {
			return err
		}
		l.source = source
	}
	return l.source.Read(dst)
}
