package dev.loomboard.server.quarkus;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The packed server as the agent starts it, on a free port. */
record RunningServer(Process process, Path output, URI address, HttpClient client) implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://\\S+)");

    static RunningServer start(Declared.Variant variant) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                "target/quarkus.jar",
                "--port=0",
                "--address=127.0.0.1"));
        command.addAll(variant.args());
        Path output = Files.createTempFile("quarkus", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new RunningServer(
                process,
                output,
                listening(process, output),
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    private static URI listening(Process process, Path output) throws IOException, InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (process.isAlive() && System.nanoTime() < until) {
            Matcher said = LISTENING.matcher(Files.readString(output));
            if (said.find()) {
                return URI.create(said.group(1));
            }
            Thread.sleep(50);
        }
        process.destroyForcibly();
        throw new IllegalStateException("it does not listen:\n" + Files.readString(output));
    }

    HttpResponse<String> send(String method, String pathAndQuery) throws IOException, InterruptedException {
        return client.send(request(method, pathAndQuery), BodyHandlers.ofString());
    }

    /** So many requests at once. */
    void post(String pathAndQuery, int requests) {
        Stream.generate(() -> request("POST", pathAndQuery))
                .limit(requests)
                .forEach(request -> client.sendAsync(request, BodyHandlers.ofString()));
    }

    private HttpRequest request(String method, String pathAndQuery) {
        return HttpRequest.newBuilder(address.resolve(pathAndQuery))
                .method(method, BodyPublishers.noBody())
                .build();
    }

    /** The first lines ({@code #22 "name" virtual}) of its threads that are in a method of a class now. */
    List<String> threadsIn(String type) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("dump");
        Path file = folder.resolve("threads.txt");
        try {
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            String.valueOf(process.pid()),
                            "Thread.dump_to_file",
                            file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("jcmd.txt").toFile())
                    .start();
            if (jcmd.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve("jcmd.txt")));
            }
            return Stream.of(Files.readString(file).split("\n\n"))
                    .filter(thread -> thread.startsWith("#") && thread.contains(type + "."))
                    .map(thread -> thread.lines().findFirst().orElseThrow())
                    .toList();
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder.resolve("jcmd.txt"));
            Files.delete(folder);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        process.destroyForcibly().onExit().join();
        output.toFile().delete();
    }
}
