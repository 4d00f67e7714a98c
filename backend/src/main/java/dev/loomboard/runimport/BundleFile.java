package dev.loomboard.runimport;

import dev.loomboard.bundle.BundleManifest;
import dev.loomboard.bundle.BundleRefusal;
import dev.loomboard.bundle.BundleSizes;
import dev.loomboard.kernel.Digest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A file that may be a bundle: a ZIP whose members are read whole, each within its bound and as its manifest says. What the file says of
 * a member's size is not believed: what is unpacked is counted.
 */
final class BundleFile implements AutoCloseable {

    private final ZipFile zip;
    private final Map<String, ZipEntry> entries;
    private long unpacked;

    private BundleFile(ZipFile zip, Map<String, ZipEntry> entries) {
        this.zip = zip;
        this.entries = entries;
    }

    static BundleFile open(Path file) {
        ZipFile zip = null;
        try {
            if (Files.size(file) > BundleSizes.FILE) {
                throw new BundleRefusal("a bundle must have at most " + BundleSizes.FILE + " bytes");
            }
            zip = new ZipFile(file.toFile());
            return new BundleFile(zip, entries(zip));
        } catch (ZipException | EOFException | IllegalArgumentException e) { // the last of names that are no UTF-8
            close(zip);
            throw new BundleRefusal("the file is no bundle: it is not a sound ZIP file (" + e.getMessage() + ")");
        } catch (BundleRefusal e) {
            close(zip);
            throw e;
        } catch (IOException e) {
            close(zip);
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, ZipEntry> entries(ZipFile zip) {
        if (zip.size() > BundleManifest.MOST_MEMBERS + 1) {
            throw new BundleRefusal(
                    "a bundle must have at most " + BundleManifest.MOST_MEMBERS + " members, has " + zip.size());
        }
        Map<String, ZipEntry> entries = new HashMap<>();
        for (ZipEntry entry : Collections.list(zip.entries())) {
            if (entries.put(entry.getName(), entry) != null) {
                throw new BundleRefusal("a member is there twice: " + shown(entry.getName()));
            }
        }
        return entries;
    }

    /** A name that nobody checked, for a sentence. */
    static String shown(String name) {
        String plain = name.replaceAll("[^ -~]", "?");
        return plain.length() <= 80 ? plain : plain.substring(0, 80) + "…";
    }

    Set<String> names() {
        return entries.keySet();
    }

    /** Its members are read from the first on: what was unpacked before counts no more. */
    void again() {
        unpacked = 0;
    }

    /** The whole member, at most as much as one of its name may have. */
    byte[] read(String name) {
        ZipEntry entry = entries.get(name);
        if (entry == null) {
            throw BundleRefusal.of(name, "is missing");
        }
        long most = BundleSizes.of(name);
        try (InputStream content = zip.getInputStream(entry)) {
            byte[] bytes = content.readNBytes(Math.toIntExact(most + 1));
            count(name, bytes.length, most);
            return bytes;
        } catch (IOException e) {
            throw BundleRefusal.of(name, "cannot be unpacked: " + e.getMessage());
        }
    }

    /** The same, if it is what the manifest says. */
    byte[] read(BundleManifest.Member member) {
        byte[] bytes = read(member.name());
        checked(member, bytes.length, Digest.sha256(bytes));
        return bytes;
    }

    /** Of one that nobody reads. */
    void check(BundleManifest.Member member) {
        ZipEntry entry = entries.get(member.name());
        if (entry == null) {
            throw BundleRefusal.of(member.name(), "is missing");
        }
        var digest = Digest.newSha256();
        byte[] piece = new byte[64 * 1024];
        long size = 0;
        try (InputStream content = zip.getInputStream(entry)) {
            for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
                digest.update(piece, 0, read);
                size += read;
                count(member.name(), read, Long.MAX_VALUE);
                if (size > BundleSizes.of(member.name())) {
                    throw BundleRefusal.of(
                            member.name(), "has more than " + BundleSizes.of(member.name()) + " bytes unpacked");
                }
            }
        } catch (IOException e) {
            throw BundleRefusal.of(member.name(), "cannot be unpacked: " + e.getMessage());
        }
        checked(member, size, digest.digest());
    }

    private void count(String name, int bytes, long most) {
        if (bytes > most) {
            throw BundleRefusal.of(name, "has more than " + most + " bytes unpacked");
        }
        unpacked += bytes;
        if (unpacked > BundleSizes.UNPACKED) {
            throw new BundleRefusal("the bundle has more than " + BundleSizes.UNPACKED + " bytes unpacked");
        }
    }

    private static void checked(BundleManifest.Member member, long bytes, byte[] sha256) {
        if (bytes != member.bytes()) {
            throw BundleRefusal.of(
                    member.name(),
                    "has " + bytes + " bytes, and " + member.bytes()
                            + " by the manifest: the bundle was changed or damaged");
        }
        String found = HexFormat.of().formatHex(sha256);
        if (!found.equals(member.sha256())) {
            throw BundleRefusal.of(
                    member.name(),
                    "has the SHA-256 " + found + ", and " + member.sha256()
                            + " by the manifest: the bundle was changed or damaged");
        }
    }

    @Override
    public void close() {
        close(zip);
    }

    private static void close(@Nullable ZipFile zip) {
        try {
            if (zip != null) {
                zip.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
