package dev.loomboard.server.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The server as the agent starts it, but in this JVM and on a free port. */
record RunningServer(ApplicationContext context, HttpClient client) implements AutoCloseable {

    static RunningServer start(Declared.Variant variant) {
        var args = new ArrayList<>(List.of("--port=-1", "--address=127.0.0.1"));
        args.addAll(variant.args());
        return new RunningServer(
                Main.start(Settings.of(args.toArray(String[]::new))),
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
        var server = context.getBean(EmbeddedServer.class);
        return HttpRequest.newBuilder(server.getURI().resolve(pathAndQuery))
                .method(method, BodyPublishers.noBody())
                .build();
    }

    @Override
    public void close() {
        client.shutdownNow();
        context.close();
    }
}
