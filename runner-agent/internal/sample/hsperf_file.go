package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// The layout of HotSpot's counter file, format 2.0, the same from 21 to 28.
const (
	hsperfMagic      = 0xCAFEC0C0 // always big-endian
	hsperfHeader     = 32
	hsperfEntry      = 20
	offByteOrder     = 4
	offMajor         = 5
	offAccessible    = 7
	offFirstEntry    = 24
	offEntries       = 28
	hsperfLittle     = 1
	hsperfMajor      = 2
	typeLong         = 'J'
	typeByte         = 'B'
	hsperfMaxEntries = 10_000 // a real file has about 200
)

// errNotYet says that the JVM has not finished writing the file's beginning.
var errNotYet = errors.New("the JVM is still setting its counter file up")

// counterFile is a mapped hsperfdata file: read-only, readable even after the JVM
// has removed it. Entries are only ever appended.
type counterFile struct {
	path    string
	data    []byte
	entries int
	longs   map[string]int // name -> offset of an aligned 8-byte number
	texts   map[string][2]int
}

// mapCounters maps and indexes a file.
func mapCounters(path string) (*counterFile, error) {
	f, err := OpenPlain(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // the mapping outlives the descriptor
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < hsperfHeader || info.Size() > 1<<26 {
		return nil, fmt.Errorf("%s: %w (%d bytes)", path, errNotYet, info.Size())
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", path, err)
	}
	c := &counterFile{path: path, data: data}
	if err := c.guarded(c.index); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func (c *counterFile) close() error {
	data := c.data
	c.data = nil
	if data == nil {
		return nil
	}
	return syscall.Munmap(data)
}

// guarded turns a fault (the file was truncated under the mapping) into an error
// instead of the end of the agent.
func (c *counterFile) guarded(read func() error) (err error) {
	if c.data == nil {
		return fmt.Errorf("%s: read after close", c.path)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: unreadable: %v", c.path, r)
		}
	}()
	return read()
}

// index walks the entries once. Offsets in the file are never trusted.
func (c *counterFile) index() error {
	d := c.data
	if magic := binary.BigEndian.Uint32(d); magic != hsperfMagic {
		return fmt.Errorf("%s: magic %#x is not that of a counter file", c.path, magic)
	}
	if d[offAccessible] == 0 {
		return fmt.Errorf("%s: %w", c.path, errNotYet)
	}
	if d[offByteOrder] != hsperfLittle || d[offMajor] != hsperfMajor {
		return fmt.Errorf("%s: byte order %d, format %d: only little-endian format 2 is known", c.path,
			d[offByteOrder], d[offMajor])
	}
	n := c.count()
	if n > hsperfMaxEntries {
		return fmt.Errorf("%s: %d entries", c.path, n)
	}
	longs, texts := make(map[string]int, n), make(map[string][2]int)
	at := int(binary.LittleEndian.Uint32(d[offFirstEntry:]))
	for i := range n {
		length, err := c.entry(at, longs, texts)
		if err != nil {
			return fmt.Errorf("%s: entry %d of %d at %d: %w", c.path, i, n, at, err)
		}
		at += length
	}
	c.entries, c.longs, c.texts = n, longs, texts
	return nil
}

func (c *counterFile) count() int {
	return int(atomic.LoadUint32((*uint32)(unsafe.Pointer(&c.data[offEntries]))))
}

// entry indexes one entry and returns its length.
func (c *counterFile) entry(at int, longs map[string]int, texts map[string][2]int) (int, error) {
	if at < hsperfHeader || at%4 != 0 || at+hsperfEntry > len(c.data) {
		return 0, errors.New("outside the file")
	}
	e := c.data[at:]
	length := int(binary.LittleEndian.Uint32(e))
	nameAt := int(binary.LittleEndian.Uint32(e[4:]))
	vector := int(binary.LittleEndian.Uint32(e[8:]))
	dataAt := int(binary.LittleEndian.Uint32(e[16:]))
	if length < hsperfEntry || length > len(e) || nameAt < hsperfEntry || nameAt >= dataAt || dataAt > length {
		return 0, fmt.Errorf("length %d, name at %d, data at %d", length, nameAt, dataAt)
	}
	name := cString(e[nameAt:dataAt])
	switch {
	case e[12] == typeLong && vector == 0:
		if dataAt+8 > length || (at+dataAt)%8 != 0 {
			return 0, fmt.Errorf("%s: its number is not 8 aligned bytes inside it", name)
		}
		longs[name] = at + dataAt
	case e[12] == typeByte && vector > 0:
		if dataAt+vector > length {
			return 0, fmt.Errorf("%s: its text is longer than it", name)
		}
		texts[name] = [2]int{at + dataAt, vector}
	}
	return length, nil
}

func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// grown says whether the JVM has added entries since the last index.
func (c *counterFile) grown() bool { return c.count() != c.entries }

// at is the number at an indexed offset: one aligned load, as the JVM stores it.
func (c *counterFile) at(offset int) int64 {
	return atomic.LoadInt64((*int64)(unsafe.Pointer(&c.data[offset])))
}

func (c *counterFile) long(name string) (int64, bool) {
	offset, ok := c.longs[name]
	if !ok {
		return 0, false
	}
	return c.at(offset), true
}

func (c *counterFile) text(name string) (string, bool) {
	place, ok := c.texts[name]
	if !ok {
		return "", false
	}
	return cString(c.data[place[0] : place[0]+place[1]]), true
}
