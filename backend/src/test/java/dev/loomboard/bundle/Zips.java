package dev.loomboard.bundle;

import dev.loomboard.kernel.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Takes bundles apart and puts them together again, with something changed. */
public final class Zips {

    private static final JsonMapper JSON = JsonMapper.shared();

    private Zips() {}

    public static Map<String, byte[]> members(byte[] bundle) {
        Map<String, byte[]> members = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bundle))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                members.put(entry.getName(), zip.readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return members;
    }

    public static byte[] zip(Map<String, byte[]> members) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> member : members.entrySet()) {
                zip.putNextEntry(new ZipEntry(member.getKey()));
                zip.write(member.getValue());
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** With one member changed, and the manifest as the change needs it. */
    public static byte[] with(byte[] bundle, String member, UnaryOperator<byte[]> change) {
        Map<String, byte[]> members = members(bundle);
        members.computeIfPresent(member, (name, content) -> change.apply(content));
        return zip(listed(members));
    }

    public static byte[] withJson(byte[] bundle, String member, Consumer<ObjectNode> change) {
        return with(bundle, member, content -> {
            ObjectNode document = (ObjectNode) JSON.readTree(content);
            change.accept(document);
            return JSON.writeValueAsBytes(document);
        });
    }

    /** The manifest lists what is there. */
    public static Map<String, byte[]> listed(Map<String, byte[]> members) {
        ObjectNode manifest = (ObjectNode) JSON.readTree(members.get(MemberNames.MANIFEST));
        ArrayNode list = manifest.putArray("members");
        members.forEach((name, content) -> {
            if (!name.equals(MemberNames.MANIFEST)) {
                list.addObject()
                        .put("name", name)
                        .put("bytes", content.length)
                        .put("sha256", HexFormat.of().formatHex(Digest.sha256(content)));
            }
        });
        members.put(MemberNames.MANIFEST, JSON.writeValueAsBytes(manifest));
        return members;
    }

    public static JsonNode json(Map<String, byte[]> members, String name) {
        return JSON.readTree(members.get(name));
    }

    public static String text(byte[] content) {
        return new String(content, StandardCharsets.UTF_8);
    }
}
