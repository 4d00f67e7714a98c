package draft

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	classMagic = 0xCAFEBABE
	// majorOfJava is what a class file's major version is above its feature release: 65 is Java 21.
	majorOfJava = 44
)

// javaOfJars is the lowest feature release that can load every class of a jar, or of the jars beneath a folder; 0: it has none.
func javaOfJars(where string) (int, error) {
	where, err := filepath.EvalSymlinks(where)
	if err != nil {
		return 0, err
	}
	highest := 0
	err = filepath.WalkDir(where, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || file != where && (!entry.Type().IsRegular() || !isArchive(file)) {
			return err
		}
		if entry.IsDir() {
			return nil
		}
		java, err := javaOfJar(file)
		highest = max(highest, java)
		return err
	})
	return highest, err
}

func isArchive(name string) bool {
	ending := strings.ToLower(path.Ext(name))
	return ending == ".jar" || ending == ".war"
}

func javaOfJar(file string) (int, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	java, err := javaOfClasses(f, info.Size(), true)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return java, nil
}

// javaOfClasses looks into the jars of an archive too, as Spring Boot packs them: stored, not compressed. What lies below
// META-INF/versions is for those JDKs that can load it, and what else lies in META-INF is no class that is loaded by name.
func javaOfClasses(archive io.ReaderAt, size int64, andJars bool) (int, error) {
	jar, err := zip.NewReader(archive, size)
	if err != nil {
		return 0, err
	}
	highest := 0
	for _, entry := range jar.File {
		var java int
		switch {
		case strings.HasPrefix(entry.Name, "META-INF/"):
		case path.Ext(entry.Name) == ".class":
			java, err = javaOfClass(entry)
		case andJars && isArchive(entry.Name) && entry.Method == zip.Store:
			java, err = javaOfInner(archive, entry)
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", entry.Name, err)
		}
		highest = max(highest, java)
	}
	return highest, nil
}

func javaOfInner(archive io.ReaderAt, entry *zip.File) (int, error) {
	from, err := entry.DataOffset()
	if err != nil {
		return 0, err
	}
	size := int64(entry.UncompressedSize64)
	return javaOfClasses(io.NewSectionReader(archive, from, size), size, false)
}

// javaOfClass reads the head of a class file: magic number, minor version, major version.
func javaOfClass(entry *zip.File) (int, error) {
	f, err := entry.Open()
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var head [8]byte
	switch _, err := io.ReadFull(f, head[:]); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return 0, nil // no class, whatever its name says
	case err != nil:
		return 0, err
	}
	if binary.BigEndian.Uint32(head[:]) != classMagic {
		return 0, nil
	}
	return int(binary.BigEndian.Uint16(head[6:])) - majorOfJava, nil
}
