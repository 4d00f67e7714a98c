package dev.loomboard.runexport;

import dev.loomboard.bundle.BundleManifest;
import dev.loomboard.bundle.BundleRefusal;
import dev.loomboard.bundle.BundleSizes;
import dev.loomboard.bundle.MemberNames;
import dev.loomboard.kernel.Digest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes a bundle member by member. The same members in the same order give the same bytes, whenever and wherever. */
final class BundleWriter implements AutoCloseable {

    /** The first that ZIP can say; the manifest has the time. */
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final ZipOutputStream zip;
    private final JsonMapper json;
    private final List<BundleManifest.Member> members = new ArrayList<>();
    private String name = "";
    private MessageDigest digest = Digest.newSha256();
    private long bytes;
    private long written;

    BundleWriter(Path file, JsonMapper json) {
        this.json = writing(json);
        try {
            zip = new ZipOutputStream(
                    new BufferedOutputStream(Files.newOutputStream(file), 64 * 1024), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Maps have their entries by name: the order in which the database or a hash gives them is nobody's. */
    static JsonMapper writing(JsonMapper json) {
        return json.rebuild()
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .build();
    }

    void member(String name, Object document) {
        begin(name);
        append(json.writeValueAsBytes(document));
        end();
    }

    void member(String name, byte[] content) {
        begin(name);
        append(content);
        end();
    }

    /** Begins a member that comes piece by piece. */
    void begin(String name) {
        if (members.size() >= BundleManifest.MOST_MEMBERS) {
            throw tooLarge();
        }
        this.name = name;
        digest = Digest.newSha256();
        bytes = 0;
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(NO_TIME);
        try {
            zip.putNextEntry(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void append(byte[] piece) {
        bytes += piece.length;
        written += piece.length;
        if (bytes > BundleSizes.of(name) || written > BundleSizes.UNPACKED) {
            throw tooLarge();
        }
        digest.update(piece);
        try {
            zip.write(piece, 0, piece.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void end() {
        try {
            zip.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        members.add(new BundleManifest.Member(name, bytes, HexFormat.of().formatHex(digest.digest())));
    }

    /** The last member. */
    void finish(BundleManifest.Origin origin, BundleManifest.Exported exported) {
        BundleManifest manifest = new BundleManifest(BundleManifest.SCHEMA, origin, exported, List.copyOf(members));
        begin(MemberNames.MANIFEST);
        append(json.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest));
        end();
    }

    private static BundleRefusal tooLarge() {
        return new BundleRefusal("the run is too large for a bundle");
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
