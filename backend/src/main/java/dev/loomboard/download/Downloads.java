package dev.loomboard.download;

import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of a release that machines may fetch. They are read once, as the service starts.
 *
 * @param folder null: this service offers none
 * @param digests SHA-256 by the file's name, as the release lists them
 * @param sums SHA-256 of that list, which machines are told to expect; empty: none
 * @param servers names of the servers that there are packages of
 */
public record Downloads(@Nullable Path folder, Map<String, String> digests, String sums, List<String> servers) {

    /** The list of digests, as {@code sha256sum} writes it. */
    public static final String SUMS = "SHA256SUMS";

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
        return new Downloads(null, Map.of(), "", List.of());
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
            return new Downloads(
                    folder.toAbsolutePath(),
                    digests,
                    HexFormat.of().formatHex(Digest.sha256(list)),
                    servers(folder, digests));
        } catch (IOException | JacksonException e) {
            throw new StartupRefusal("The folder of downloads cannot be read: " + e.getMessage() + ".", MEND, e);
        }
    }

    private static List<String> servers(Path folder, Map<String, String> digests) throws IOException {
        List<String> names = new ArrayList<>();
        if (digests.containsKey(SERVERS)) {
            JsonNode list = JsonMapper.shared().readTree(Files.readAllBytes(folder.resolve(SERVERS)));
            list.path("servers").forEach(server -> names.add(server.path("name").asString()));
        }
        return names;
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
