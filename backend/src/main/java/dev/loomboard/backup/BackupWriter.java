package dev.loomboard.backup;

import dev.loomboard.kernel.Digest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a backup: a ZIP archive with a file per table, and the manifest last. It has another name until it is whole, so that
 * half a backup is never taken for one; only its owner can read it.
 */
final class BackupWriter implements AutoCloseable {

    static final String MANIFEST = "manifest.json";

    /** Writes the rows of a table, and says how many they were. */
    interface Content {
        long writeTo(OutputStream out) throws IOException, SQLException;
    }

    private final Path target;
    private final Path half;
    private final ZipOutputStream archive;
    private boolean whole;

    private BackupWriter(Path target, Path half, ZipOutputStream archive) {
        this.target = target;
        this.half = half;
        this.archive = archive;
    }

    static BackupWriter create(Path target) throws IOException {
        if (Files.exists(target)) {
            throw new BackupRefusal(target + " exists already: name a file that does not, or move that one away");
        }
        Path half = target.resolveSibling(target.getFileName() + ".part");
        try {
            Files.createFile(half, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            throw new BackupRefusal(
                    half + " exists already: another backup is writing it, or left it behind when it was"
                            + " killed. If none runs, remove it");
        }
        ZipOutputStream archive = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(half)));
        archive.setLevel(Deflater.BEST_SPEED);
        return new BackupWriter(target, half, archive);
    }

    Manifest.Table add(String table, List<String> columns, Content content) throws IOException, SQLException {
        MessageDigest digest = Digest.newSha256();
        Manifest.Table named = new Manifest.Table(table, columns, 0, 0, "");
        ZipEntry entry = new ZipEntry(named.file());
        archive.putNextEntry(entry);
        long rows = content.writeTo(new DigestOutputStream(archive, digest));
        archive.closeEntry();
        return new Manifest.Table(
                table, columns, rows, entry.getSize(), HexFormat.of().formatHex(digest.digest()));
    }

    /** The backup is whole: from now on it has its name. */
    void finish(Manifest manifest) throws IOException {
        archive.putNextEntry(new ZipEntry(MANIFEST));
        archive.write(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest));
        archive.closeEntry();
        archive.close();
        try (FileChannel file = FileChannel.open(half, StandardOpenOption.WRITE)) {
            file.force(true);
        }
        Files.move(half, target, StandardCopyOption.ATOMIC_MOVE);
        whole = true;
    }

    @Override
    public void close() throws IOException {
        if (!whole) {
            try (archive) {
                Files.deleteIfExists(half);
            }
        }
    }
}
