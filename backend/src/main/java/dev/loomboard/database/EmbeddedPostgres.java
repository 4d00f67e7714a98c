package dev.loomboard.database;

import dev.loomboard.kernel.StartupRefusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL started by the service as a child process. It listens on loopback only, asks for a password, and in
 * {@link Durability#FULL} keeps every acknowledged commit through a kill of the service, of itself, or of the machine. When
 * it ends by itself it is started again, at the same address.
 *
 * <p>The service is no superuser of it: it owns its database and nothing else, so that a statement smuggled in could neither
 * read files nor run programs.
 *
 * <p>As root it runs in a user namespace of its own, because PostgreSQL refuses to run as root.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    /** How much a commit is worth. */
    public enum Durability {
        /** Acknowledged means on disk. */
        FULL,
        /** For tests only: fast, and lost with the machine. */
        NONE
    }

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);

    /** The superuser, whose password lies in the folder; it only prepares the server. */
    private static final String ADMINISTRATOR = "loomboard";

    private static final String DATABASE = "loomboard";
    private static final long LARGEST_LOG = 10L << 20;
    private static final Duration START_TIMEOUT = Duration.ofSeconds(120); // crash recovery may take its time
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);
    private static final int PORTS = 5;

    /** Gives a port on which nobody listens. */
    interface FreePort {
        int choose() throws IOException;
    }

    private record Launched(Process server, int port) {}

    private final PostgresFolder folder;
    private final PostgresBinaries binaries;
    private final DatabaseUrl url;
    private final Durability durability;
    private final PostgresWatch watch = new PostgresWatch(this::startAgain, this::rotateLog);

    private EmbeddedPostgres(PostgresFolder folder, PostgresBinaries binaries, DatabaseUrl url, Durability durability) {
        this.folder = folder;
        this.binaries = binaries;
        this.url = url;
        this.durability = durability;
    }

    /** Starts the server on {@code dataFolder}, after stopping one that a killed service left there. */
    public static EmbeddedPostgres start(Path dataFolder, Durability durability) {
        return start(dataFolder, dataFolder, durability);
    }

    /** As {@link #start(Path, Durability)}, with the programs unpacked somewhere that outlives the data. */
    public static EmbeddedPostgres start(Path dataFolder, Path programsFolder, Durability durability) {
        return start(dataFolder, programsFolder, durability, EmbeddedPostgres::freePort);
    }

    static EmbeddedPostgres start(Path dataFolder, Path programsFolder, Durability durability, FreePort ports) {
        PostgresFolder folder = PostgresFolder.locked(dataFolder);
        try {
            Files.createDirectories(programsFolder);
            PostgresBinaries binaries = PostgresBinaries.unpackedIn(programsFolder.toAbsolutePath());
            String password = folder.password();
            folder.guardLog();
            folder.rotateLog(LARGEST_LOG);
            leaveNone(folder, binaries);
            initialise(folder, binaries);
            Launched launched = launch(folder, binaries, ports, durability);
            DatabaseUrl administrator = address(launched.port(), password);
            DatabaseUrl url = PostgresOwner.prepare(administrator, durability == Durability.NONE);
            EmbeddedPostgres postgres = new EmbeddedPostgres(folder, binaries, url, durability);
            postgres.watch.begin(launched.server());
            return postgres;
        } catch (IOException | SQLException e) {
            throw closing(
                    folder,
                    new StartupRefusal(
                            "The embedded PostgreSQL in " + folder.root() + " did not start: " + e.getMessage(),
                            "Read " + folder.log()
                                    + "; install what is missing (Debian: util-linux, libstdc++6), or set"
                                    + " LOOMBOARD_DATABASE_URL to a PostgreSQL of your own.",
                            e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw closing(folder, new IllegalStateException("Interrupted while the embedded PostgreSQL started", e));
        } catch (RuntimeException e) {
            throw closing(folder, e);
        }
    }

    /**
     * The server of a folder that another service uses now, as its superuser: to read beside it. Empty: nobody uses the folder.
     */
    static Optional<DatabaseUrl> ofAnother(Path dataFolder) throws IOException {
        Optional<PostgresFolder> held = PostgresFolder.ofAnother(dataFolder);
        if (held.isEmpty()) {
            return Optional.empty();
        }
        try (PostgresFolder folder = held.get()) {
            int port = folder.port()
                    .orElseThrow(() -> new StartupRefusal(
                            "The PostgreSQL in " + folder.root()
                                    + " belongs to a service that is starting or stopping.",
                            "Try again in a few seconds."));
            return Optional.of(address(port, folder.password()));
        }
    }

    private static DatabaseUrl address(int port, String password) {
        return new DatabaseUrl("127.0.0.1", port, DATABASE, ADMINISTRATOR, password, null);
    }

    private void rotateLog() {
        try {
            folder.rotateLog(LARGEST_LOG);
        } catch (IOException e) {
            LOG.warn("The log of the embedded PostgreSQL cannot be rotated: {}", e.toString());
        }
    }

    public DatabaseUrl url() {
        return url;
    }

    /** Stops the server; open connections are cut, committed data is flushed. */
    @Override
    public void close() throws IOException {
        watch.end();
        stopForGood();
    }

    /** Synchronized with {@link #startAgain}: a server that is being started is stopped after it has started. */
    private synchronized void stopForGood() throws IOException {
        try (folder) {
            leaveNone(folder, binaries);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Optional<Process> startAgain() throws IOException, InterruptedException {
        if (watch.hasEnded()) {
            return Optional.empty();
        }
        leaveNone(folder, binaries);
        return Optional.of(launch(folder, binaries, url.port(), durability));
    }

    /**
     * Leaves no process on the data. The children of a server that was killed may live on, and would write while the next one
     * does; one that stops forgets its note a moment before it ends.
     */
    private static void leaveNone(PostgresFolder folder, PostgresBinaries binaries)
            throws IOException, InterruptedException {
        stop(folder, binaries);
        for (ProcessHandle left : folder.processes()) {
            left.destroyForcibly();
        }
        long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
        while (!folder.processes().isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("processes of PostgreSQL still stand in " + folder.data());
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        folder.forgetServer();
    }

    private static void stop(PostgresFolder folder, PostgresBinaries binaries)
            throws IOException, InterruptedException {
        for (String mode : List.of("fast", "immediate")) {
            var server = folder.runningServer();
            if (server.isEmpty()) {
                return;
            }
            run(
                    folder,
                    unprivileged(List.of(
                            binaries.program("pg_ctl").toString(),
                            "stop",
                            "-w",
                            "-D",
                            folder.data().toString(),
                            "-m",
                            mode,
                            "-t",
                            Long.toString(STOP_TIMEOUT.toSeconds()))));
        }
        if (folder.runningServer().isPresent()) {
            throw new IOException("the server that runs on " + folder.data() + " does not stop");
        }
    }

    /** Makes the cluster aside and renames it when it is whole, so that a kill half way leaves nothing half made. */
    private static void initialise(PostgresFolder folder, PostgresBinaries binaries)
            throws IOException, InterruptedException {
        if (folder.initialised()) {
            String major = folder.majorVersion();
            if (!major.equals(PostgresBinaries.MAJOR)) {
                throw new StartupRefusal(
                        "The data folder " + folder.root() + " was written by PostgreSQL " + major
                                + "; this build holds " + PostgresBinaries.MAJOR + ".",
                        "Dump it with a PostgreSQL " + major
                                + " and load it here, or set LOOMBOARD_DATA to an empty folder.");
            }
            return;
        }
        Path half = folder.root().resolve("data.new");
        PostgresBinaries.deleteTree(half);
        int exit = run(
                folder,
                unprivileged(List.of(
                        binaries.program("initdb").toString(),
                        "-D",
                        half.toString(),
                        "-U",
                        ADMINISTRATOR,
                        "--pwfile=" + folder.passwordFile(),
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        // The built-in provider: the same order on every machine, whatever locales it has.
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8",
                        "--locale=C")));
        if (exit != 0) {
            throw new IOException("initdb ended with " + exit + ": " + folder.logTail());
        }
        Files.move(half, folder.data(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Another program may take the chosen port before the server does. */
    private static Launched launch(
            PostgresFolder folder, PostgresBinaries binaries, FreePort ports, Durability durability)
            throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            int port = ports.choose();
            try {
                return new Launched(launch(folder, binaries, port, durability), port);
            } catch (IOException e) {
                if (tries == PORTS || !folder.logTail().contains("could not create any TCP/IP sockets")) {
                    throw e;
                }
            }
        }
    }

    private static Process launch(PostgresFolder folder, PostgresBinaries binaries, int port, Durability durability)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                binaries.program("postgres").toString(),
                "-D",
                folder.data().toString(),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "port=" + port,
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=100",
                "-c",
                "random_page_cost=1.1", // its data lies on no turning disk, for which the default was made
                "-c",
                "jit=off"));
        String flush = durability == Durability.FULL ? "on" : "off";
        for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
            command.addAll(List.of("-c", setting + "=" + flush));
        }
        // A session of its own: Ctrl-C in a terminal must reach the service only, which then stops the server last.
        List<String> detached = new ArrayList<>(List.of("setsid"));
        detached.addAll(unprivileged(command));
        Process server = begin(folder, detached);
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!folder.ready(server.pid())) {
            if (!server.isAlive()) {
                throw new IOException("it ended with " + server.exitValue() + ": " + folder.logTail());
            }
            if (System.nanoTime() > deadline) {
                server.destroyForcibly();
                throw new IOException("it was not ready after " + START_TIMEOUT.toSeconds() + " s");
            }
            server.waitFor(20, TimeUnit.MILLISECONDS);
        }
        return server;
    }

    /** The command, run so that PostgreSQL does not see root; the owner of the files stays the same. */
    private static List<String> unprivileged(List<String> command) {
        if (!"root".equals(System.getProperty("user.name"))) {
            return command;
        }
        List<String> wrapped = new ArrayList<>(List.of("unshare", "--user"));
        wrapped.addAll(command);
        return wrapped;
    }

    private static int run(PostgresFolder folder, List<String> command) throws IOException, InterruptedException {
        Process process = begin(folder, command);
        if (!process.waitFor(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command.getFirst() + " did not end within " + START_TIMEOUT.toSeconds() + " s");
        }
        return process.exitValue();
    }

    private static Process begin(PostgresFolder folder, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.log().toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LOOMBOARD_"));
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static RuntimeException closing(PostgresFolder folder, RuntimeException cause) {
        try {
            folder.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return cause;
    }
}
