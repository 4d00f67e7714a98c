package dev.loomboard.backup;

import dev.loomboard.kernel.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads a backup, and says first whether it is as it was written. */
final class BackupReader implements AutoCloseable {

    private final Path file;
    private final ZipFile archive;
    private final Manifest manifest;

    private BackupReader(Path file, ZipFile archive, Manifest manifest) {
        this.file = file;
        this.archive = archive;
        this.manifest = manifest;
    }

    static BackupReader open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new BackupRefusal("there is no file " + file);
        }
        ZipFile archive;
        try {
            archive = new ZipFile(file.toFile());
        } catch (ZipException e) {
            throw new BackupRefusal(file + " is not a whole backup: " + e.getMessage());
        }
        try {
            return new BackupReader(file, archive, manifest(file, archive));
        } catch (IOException | RuntimeException e) {
            archive.close();
            throw e;
        }
    }

    private static Manifest manifest(Path file, ZipFile archive) throws IOException {
        ZipEntry entry = archive.getEntry(BackupWriter.MANIFEST);
        if (entry == null) {
            throw new BackupRefusal(file + " is no backup of Loomboard: it has no " + BackupWriter.MANIFEST);
        }
        Manifest manifest;
        try (InputStream content = archive.getInputStream(entry)) {
            manifest = JsonMapper.shared().readValue(content, Manifest.class);
        } catch (JacksonException | ZipException e) {
            throw new BackupRefusal(file + " was changed: its " + BackupWriter.MANIFEST + " cannot be read");
        }
        if (!Manifest.FORMAT.equals(manifest.format())) {
            throw new BackupRefusal(file + " is " + manifest.format() + "; this version reads " + Manifest.FORMAT);
        }
        return manifest;
    }

    Manifest manifest() {
        return manifest;
    }

    /** Reads all of it once. */
    void check() throws IOException {
        for (Manifest.Table table : manifest.tables()) {
            MessageDigest digest = Digest.newSha256();
            long bytes;
            try (InputStream content = new DigestInputStream(open(table), digest)) {
                bytes = content.transferTo(OutputStream.nullOutputStream());
            } catch (ZipException e) {
                throw changed(table);
            }
            if (bytes != table.bytes()
                    || !HexFormat.of().formatHex(digest.digest()).equals(table.sha256())) {
                throw changed(table);
            }
        }
    }

    InputStream open(Manifest.Table table) throws IOException {
        ZipEntry entry = archive.getEntry(table.file());
        if (entry == null) {
            throw new BackupRefusal(file + " was changed: it has no " + table.file());
        }
        return archive.getInputStream(entry);
    }

    private BackupRefusal changed(Manifest.Table table) {
        return new BackupRefusal(file + " was changed or is damaged: " + table.file() + " is not what was written");
    }

    @Override
    public void close() throws IOException {
        archive.close();
    }
}
