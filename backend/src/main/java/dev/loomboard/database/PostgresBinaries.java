package dev.loomboard.database;

import dev.loomboard.kernel.StartupRefusal;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked once per version from the jar on the class path. */
final class PostgresBinaries {

    /** The artefact's version in pom.xml, so that old programs are not taken for new ones. */
    private static final String VERSION = version();

    /** Major version of the programs in the jar; a data folder of another one cannot be opened by them. */
    static final String MAJOR = VERSION.substring(0, VERSION.indexOf('.'));

    private final Path home;

    private PostgresBinaries(Path home) {
        this.home = home;
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream text = PostgresBinaries.class.getResourceAsStream("/postgres-binaries.properties")) {
            properties.load(Objects.requireNonNull(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Objects.requireNonNull(properties.getProperty("version"));
    }

    /**
     * Unpacks under {@code folder} unless that was done before. The rename is last, so a kill half way leaves nothing that
     * looks complete; one thread unpacks at a time, because all would write to the same place.
     */
    static synchronized PostgresBinaries unpackedIn(Path folder) throws IOException {
        Path home = folder.resolve("postgres-" + VERSION);
        if (!Files.isDirectory(home)) {
            Path half = folder.resolve("postgres-" + VERSION + ".new");
            deleteTree(half);
            Files.createDirectories(half);
            unpack(half);
            Files.move(half, home, StandardCopyOption.ATOMIC_MOVE);
        }
        return new PostgresBinaries(home);
    }

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    private static void unpack(Path target) throws IOException {
        String archive = "postgres-" + platform() + ".txz";
        try (InputStream raw = PostgresBinaries.class.getResourceAsStream("/" + archive)) {
            if (raw == null) {
                throw new StartupRefusal(
                        "This build holds no PostgreSQL for this platform (" + archive + ").",
                        "Set LOOMBOARD_DATABASE_URL to the address of a PostgreSQL " + MAJOR + ".");
            }
            try (TarArchiveInputStream tar =
                    new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(raw)))) {
                for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    write(target, entry, tar);
                }
            }
        }
    }

    private static void write(Path target, TarArchiveEntry entry, TarArchiveInputStream tar) throws IOException {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
            throw new IOException("The archive names a file outside its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Path parent = path.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, path);
            boolean program = (entry.getMode() & 0100) != 0;
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    private static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String machine = switch (arch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> arch;
        };
        return (os.startsWith("linux") ? "linux" : os.replace(' ', '_')) + "-" + machine;
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
