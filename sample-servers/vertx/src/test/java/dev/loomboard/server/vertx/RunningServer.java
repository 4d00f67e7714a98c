package dev.loomboard.server.vertx;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The server as the agent starts it, but in this JVM and on a free port. */
record RunningServer(Server server, HttpClient client) implements AutoCloseable {

    static RunningServer start(List<String> variantArgs) {
        var args = new ArrayList<>(List.of("--port=-1", "--address=127.0.0.1"));
        args.addAll(variantArgs);
        return new RunningServer(
                Server.start(Settings.parse(args.toArray(String[]::new), Map.of())),
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    HttpResponse<String> send(String method, String pathAndQuery) throws IOException, InterruptedException {
        return client.send(request(method, pathAndQuery), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> post(String pathAndQuery) {
        return client.sendAsync(request("POST", pathAndQuery), BodyHandlers.ofString());
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
