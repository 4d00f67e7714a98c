package dev.loomboard.database;

import dev.loomboard.kernel.StartupRefusal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one embedded PostgreSQL, held by one service at a time. The lock is the kernel's: it goes with the
 * process that held it, however that ended, so a folder is never locked by the dead.
 */
final class PostgresFolder implements AutoCloseable {

    private static final int PASSWORD_BYTES = 24;
    private static final Set<PosixFilePermission> ONLY_OURS = PosixFilePermissions.fromString("rw-------");

    private final Path root;
    private final FileChannel lockFile;

    private PostgresFolder(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    static PostgresFolder locked(Path folder) {
        Path root = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(root);
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
            FileChannel channel =
                    FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new StartupRefusal(
                        "Another Loomboard is using the data folder " + root + ".",
                        "Stop it, or set LOOMBOARD_DATA to another folder.");
            }
            return new PostgresFolder(root, channel);
        } catch (IOException e) {
            throw new StartupRefusal(
                    "The data folder " + root + " cannot be used: " + e.getMessage() + ".",
                    "Make it a folder this user owns and can write, or set LOOMBOARD_DATA to another one.",
                    e);
        }
    }

    /** As another service holds it, only to look where its server is; empty: nobody does. */
    static Optional<PostgresFolder> ofAnother(Path folder) throws IOException {
        Path root = folder.toAbsolutePath().normalize();
        Path lock = root.resolve("lock");
        if (!Files.exists(lock)) {
            return Optional.empty();
        }
        FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        if (tryLock(channel) != null) {
            channel.close();
            return Optional.empty();
        }
        return Optional.of(new PostgresFolder(root, channel));
    }

    Path root() {
        return root;
    }

    Path data() {
        return root.resolve("data");
    }

    Path log() {
        return root.resolve("postgres.log");
    }

    Path passwordFile() {
        return root.resolve("password");
    }

    boolean initialised() {
        return Files.exists(data().resolve("PG_VERSION"));
    }

    String majorVersion() throws IOException {
        return Files.readString(data().resolve("PG_VERSION")).strip();
    }

    /** The superuser's password: made once, kept in a file that only its owner can read. */
    String password() throws IOException {
        Path file = passwordFile();
        if (!Files.exists(file)) {
            Path half = root.resolve("password.new");
            Files.deleteIfExists(half);
            Files.createFile(half, PosixFilePermissions.asFileAttribute(ONLY_OURS));
            Files.writeString(half, randomPassword());
            Files.move(half, file);
        }
        return Files.readString(file).strip();
    }

    static String randomPassword() {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** Where the server that is ready listens; empty: none is. */
    Optional<Integer> port() throws IOException {
        return postmasterPid()
                .filter(lines -> lines.size() > 7 && lines.get(7).strip().equals("ready"))
                .map(lines -> Integer.parseInt(lines.get(3).strip()));
    }

    /** The server that still runs on this folder's data, started by any process; empty when none does. */
    Optional<ProcessHandle> runningServer() throws IOException {
        Optional<List<String>> lines = postmasterPid();
        if (lines.isEmpty() || lines.get().isEmpty()) {
            return Optional.empty();
        }
        long pid;
        try {
            pid = Long.parseLong(lines.get().getFirst().strip());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        // A pid alone may have been given to another program since: a server stands in its data folder.
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(p -> standsInData(pid));
    }

    /** PostgreSQL's processes on this folder's data: a server and its children, also those whose server is dead. */
    List<ProcessHandle> processes() {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> standsInData(process.pid()))
                    .filter(process ->
                            process.info().command().orElse("").endsWith("/postgres")) // not somebody's shell
                    .toList();
        }
    }

    /** Forgets the note of a server that is gone; PostgreSQL itself would be misled if its pid were in use again. */
    void forgetServer() throws IOException {
        Files.deleteIfExists(data().resolve("postmaster.pid"));
    }

    /** True once the server has written that it accepts connections. */
    boolean ready(long pid) throws IOException {
        return postmasterPid()
                .filter(lines -> lines.size() > 7)
                .filter(lines -> lines.getFirst().strip().equals(Long.toString(pid)))
                .map(lines -> lines.get(7).strip().equals("ready"))
                .orElse(false);
    }

    /** What is logged may name people and addresses: nobody else reads it, also where an earlier version made the file. */
    void guardLog() throws IOException {
        if (!Files.exists(log())) {
            Files.createFile(log(), PosixFilePermissions.asFileAttribute(ONLY_OURS));
        }
        Files.setPosixFilePermissions(log(), ONLY_OURS);
    }

    /**
     * Rotates the log when it is large; only the newest older log is left. The server goes on writing to the same file,
     * always to its end, so that a line written in this very moment may be lost, but none later.
     */
    void rotateLog(long most) throws IOException {
        if (Files.size(log()) <= most) {
            return;
        }
        Files.copy(log(), olderLog(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        try (FileChannel log = FileChannel.open(log(), StandardOpenOption.WRITE)) {
            log.truncate(0);
        }
    }

    Path olderLog() {
        return root.resolve("postgres.log.1");
    }

    String logTail() throws IOException {
        if (!Files.exists(log())) {
            return "";
        }
        List<String> lines =
                Files.readString(log(), StandardCharsets.UTF_8).lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }

    private Optional<List<String>> postmasterPid() throws IOException {
        Path file = data().resolve("postmaster.pid");
        return Files.exists(file) ? Optional.of(Files.readString(file).lines().toList()) : Optional.empty();
    }

    private boolean standsInData(long pid) {
        try {
            return Files.exists(data()) && Files.isSameFile(Path.of("/proc/" + pid + "/cwd"), data());
        } catch (IOException e) {
            return false; // gone, or another user's: either way not the server of this folder
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this very JVM
        }
    }
}
