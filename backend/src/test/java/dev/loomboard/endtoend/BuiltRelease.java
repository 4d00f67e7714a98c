package dev.loomboard.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What machines fetch of a release: made of what is built, with one server and for this machine's architecture alone. */
final class BuiltRelease {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private BuiltRelease() {}

    /** Fills an empty folder. */
    static void make(Path folder) throws Exception {
        Path agent = ROOT.resolve("runner-agent/build");
        Path servers = ROOT.resolve("sample-servers");
        Path server = servers.resolve("spring-mvc");
        AgentProgram.needBuilt(agent.resolve("loomboard-agent"));
        AgentProgram.needBuilt(server.resolve("target/spring-mvc.jar"));
        String architecture =
                System.getProperty("os.arch").toLowerCase(Locale.ROOT).equals("aarch64") ? "arm64" : "amd64";
        String machine = "loomboard-agent_test_linux_" + architecture + ".tar.gz";
        pack(folder.resolve(machine), "-C", agent.toString(), "loomboard-agent");
        Path version = Files.createDirectory(folder.resolve("of-the-package"));
        Files.writeString(version.resolve("VERSION"), "test\n");
        Path packed = folder.resolve("spring-mvc_test.tar.gz");
        pack(
                packed,
                "-C",
                server.toString(),
                "server.yaml",
                "target/spring-mvc.jar",
                "-C",
                servers.toString(),
                "workloads.yaml",
                "fortunes.sql",
                "todo.sql",
                "--transform=s:^matrices/tools/:matrices/:",
                "matrices/tools/qualify.yaml",
                "-C",
                version.toString(),
                "VERSION");
        Files.writeString(folder.resolve("servers.json"), """
                {"schema": "loomboard.servers/1", "servers": [{"name": "spring-mvc", "title": "Spring MVC", "version": "test",
                 "java": 21, "file": "spring-mvc_test.tar.gz", "size": %d, "sha256": "%s"}]}
                """.formatted(Files.size(packed), digest(packed)));
        Files.copy(ROOT.resolve("runner-agent/install.sh"), folder.resolve("install.sh"));
        List<String> lines = new ArrayList<>();
        for (String name : List.of("install.sh", machine, "servers.json", "spring-mvc_test.tar.gz")) {
            lines.add(digest(folder.resolve(name)) + "  " + name + "\n");
        }
        Files.writeString(folder.resolve("SHA256SUMS"), String.join("", lines));
    }

    private static void pack(Path archive, String... words) throws Exception {
        Process tar = new ProcessBuilder(
                        Stream.concat(Stream.of("tar", "-czf", archive.toString()), Arrays.stream(words))
                                .collect(Collectors.toList()))
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).as("tar makes %s", archive).isZero();
    }

    private static String digest(Path file) throws IOException {
        return HexFormat.of().formatHex(Digest.sha256(Files.readAllBytes(file)));
    }
}
