package dev.loomboard.download;

import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of a release that machines may fetch. They are read once, as the service starts.
 *
 * @param folder null: this service offers none
 * @param digests SHA-256 by the file's name, as the release lists them, and of the signature of its list, if there is one
 * @param sums SHA-256 of that list, which the lines for machines contain; empty: none
 * @param servers names of the servers that there are packages of
 * @param serverList the file that describes them, as it is; empty: there is none
 */
public record Downloads(
        @Nullable Path folder, Map<String, String> digests, String sums, List<String> servers, String serverList) {

    /** The list of digests, as {@code sha256sum} writes it. */
    public static final String SUMS = "SHA256SUMS";

    /** The publisher's signature of that list, where the release has one. */
    public static final String SUMS_SIGNATURE = "SHA256SUMS.sig";

    /** The script that installs the agent. */
    public static final String INSTALLER = "install.sh";

    /** The list of servers, which the agent reads. */
    public static final String SERVERS = "servers.json";

    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})  ([0-9A-Za-z][0-9A-Za-z.+_-]*)");
    private static final String MEND =
            "Name the folder of a release's files (make release) in LOOMBOARD_DOWNLOADS, or leave it empty.";

    public Downloads {
        digests = Map.copyOf(digests);
        servers = List.copyOf(servers);
    }

    public static Downloads none() {
        return new Downloads(null, Map.of(), "", List.of(), "");
    }

    /** Refuses a folder that is no release's: its machines would be told that there is nothing. */
    static Downloads of(Path folder) {
        try {
            byte[] list = Files.readAllBytes(folder.resolve(SUMS));
            Map<String, String> digests = new TreeMap<>();
            for (String line : new String(list, StandardCharsets.UTF_8).lines().toList()) {
                Matcher entry = LINE.matcher(line);
                if (!entry.matches()) {
                    throw new StartupRefusal(folder.resolve(SUMS) + " has a line that is no digest: " + line, MEND);
                }
                digests.put(entry.group(2), entry.group(1));
            }
            Path signature = folder.resolve(SUMS_SIGNATURE);
            if (Files.exists(signature)) {
                digests.put(SUMS_SIGNATURE, HexFormat.of().formatHex(Digest.sha256(Files.readAllBytes(signature))));
            }
            String servers = serverList(folder, digests);
            return new Downloads(
                    folder.toAbsolutePath(),
                    digests,
                    HexFormat.of().formatHex(Digest.sha256(list)),
                    names(servers),
                    servers);
        } catch (IOException | JacksonException e) {
            throw new StartupRefusal("The folder of downloads cannot be read: " + e.getMessage() + ".", MEND, e);
        }
    }

    /** What is signed for machines must be what they are handed out, and what the release lists. */
    private static String serverList(Path folder, Map<String, String> digests) throws IOException {
        String expected = digests.get(SERVERS);
        if (expected == null) {
            return "";
        }
        byte[] list = Files.readAllBytes(folder.resolve(SERVERS));
        if (!HexFormat.of().formatHex(Digest.sha256(list)).equals(expected)) {
            throw new StartupRefusal(
                    folder.resolve(SERVERS) + " is not the file that " + SUMS + " beside it lists.", MEND);
        }
        return new String(list, StandardCharsets.UTF_8);
    }

    /** What is read of the file that describes the servers. */
    record ServerList(@Nullable List<Server> servers) {
        record Server(String name) {}
    }

    private static List<String> names(String serverList) {
        if (serverList.isEmpty()) {
            return List.of();
        }
        List<ServerList.Server> servers =
                JsonMapper.shared().readValue(serverList, ServerList.class).servers();
        return servers == null
                ? List.of()
                : servers.stream().map(ServerList.Server::name).toList();
    }

    /** Whether a machine without the agent can get it here. */
    public boolean offersAgent() {
        return digests.containsKey(INSTALLER)
                && digests.keySet().stream().anyMatch(file -> file.startsWith("loomboard-agent_"));
    }

    /** The file of that name, if the release lists it: no other file of the machine can be asked for. */
    Optional<Path> file(String name) {
        return folder != null && (digests.containsKey(name) || name.equals(SUMS))
                ? Optional.of(folder.resolve(name))
                : Optional.empty();
    }
}
