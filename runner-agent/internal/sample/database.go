package sample

import (
	"os"
	"path/filepath"
	"strconv"
)

// Columns of Database.
const (
	DatabaseCPU    = "database.cpu_s"
	DatabaseMemory = "database.memory_bytes"
)

// Database reads what a database that the agent started uses with all its processes. They share most of their memory, so that is
// counted once: the sum of what each has for itself, and the most that any has of files and of shared memory.
type Database struct {
	root   string
	family *Family
	row    []float64
}

// NewDatabase is of the process of that pid under root/proc, and of all that it started.
func NewDatabase(root string, pid int) *Database {
	family := NewFamily(root, pid, "")
	return &Database{root: root, family: family, row: make([]float64, len(family.Columns()))}
}

// Name of the source.
func (d *Database) Name() string { return "database" }

// Columns of the source.
func (d *Database) Columns() []string { return []string{DatabaseCPU, DatabaseMemory} }

// Pids are its processes at the last reading.
func (d *Database) Pids() []int { return d.family.Pids() }

// Read fills one value per column.
func (d *Database) Read(dst []float64) error {
	if err := d.family.Read(d.row); err != nil {
		return err
	}
	dst[0] = d.row[2]
	var own, files, shared float64
	known := false
	for _, pid := range d.family.Pids() {
		text, err := os.ReadFile(filepath.Join(d.root, "proc", strconv.Itoa(pid), "status"))
		if err != nil {
			continue // ended meanwhile
		}
		anonymous, ok := kibibytes(text, "RssAnon:")
		if !ok {
			continue // ended, and not yet waited for; or a kernel before 4.5, where none has it
		}
		ofFiles, _ := kibibytes(text, "RssFile:")
		ofOthers, _ := kibibytes(text, "RssShmem:")
		own, files, shared, known = own+anonymous, max(files, ofFiles), max(shared, ofOthers), true
	}
	if known {
		dst[1] = (own + files + shared) * 1024
	}
	return nil
}

func kibibytes(status []byte, word string) (float64, bool) {
	value, ok := line(status, word)
	if !ok {
		return 0, false
	}
	var n uint64
	if err := number(value[:max(0, len(value)-len(" kB"))], &n); err != nil {
		return 0, false
	}
	return float64(n), true
}
