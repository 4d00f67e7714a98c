package dev.loomboard.server.jdkhttp;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The server as the agent starts it, but in this JVM and on a free port. */
record RunningServer(JdkHttpServer server, HttpClient client) implements AutoCloseable {

    static RunningServer start(Declared.Variant variant) throws Exception {
        return start(variant, Map.of());
    }

    static RunningServer start(Declared.Variant variant, Map<String, Workload> more) throws Exception {
        var args = new ArrayList<>(List.of("--port=0", "--address=127.0.0.1"));
        args.addAll(variant.args());
        var workloads = new HashMap<>(Workloads.BY_PATH);
        workloads.putAll(more);
        return new RunningServer(
                JdkHttpServer.start(Settings.of(args.toArray(String[]::new)), workloads),
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    HttpResponse<String> send(String method, String pathAndQuery) throws IOException, InterruptedException {
        return client.send(request(method, pathAndQuery), BodyHandlers.ofString());
    }

    /** So many requests at once. */
    CompletableFuture<?> post(String path, int requests) {
        return CompletableFuture.allOf(
                Stream.generate(() -> client.sendAsync(request("POST", path), BodyHandlers.ofString()))
                        .limit(requests)
                        .toArray(CompletableFuture[]::new));
    }

    private HttpRequest request(String method, String pathAndQuery) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + pathAndQuery))
                .method(method, BodyPublishers.noBody())
                .build();
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.close();
    }
}
