package dev.loomboard.endtoend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** The wire between an agent and the service: passes everything on, keeps what was uploaded, and breaks where it is told. */
final class Wire implements AutoCloseable {

    /** Where an upload is cut. */
    enum Cut {
        /** Half of it has reached the service. */
        HALF_SENT,
        /** All of it has reached the service, which may or may not have stored it. */
        SENT,
        /** The service has said that it stored it, and the agent will not hear. */
        ANSWERED
    }

    /** What happens at the moment of a cut. */
    interface Blow {
        void fall() throws Exception;
    }

    /** One batch, by which it is known everywhere. */
    record BatchKey(String trial, int seq) {}

    private record Fault(Cut cut, Predicate<BatchKey> when, Blow blow, CompletableFuture<BatchKey> fallen) {}

    private static final Pattern BATCH = Pattern.compile("/api/agent/v1/trials/(trl_[a-z2-7]+)/batches/(\\d+)");
    private static final Set<String> OF_ONE_HOP =
            Set.of("connection", "host", "content-length", "transfer-encoding", "upgrade", "http2-settings");

    private final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<BatchKey, Set<String>> contents = new ConcurrentHashMap<>();
    private final Map<BatchKey, Integer> tries = new ConcurrentHashMap<>();
    private final AtomicReference<Optional<Fault>> armed = new AtomicReference<>(Optional.empty());
    private volatile URI service;

    Wire(String service) throws IOException {
        this.service = URI.create(service);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::pass);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The service is now at another address. */
    void leadTo(String address) {
        service = URI.create(address);
    }

    /** The next upload of such a batch is cut there, once, and the blow falls. */
    CompletableFuture<BatchKey> breakAt(Cut cut, Predicate<BatchKey> when, Blow blow) {
        CompletableFuture<BatchKey> fallen = new CompletableFuture<>();
        armed.set(Optional.of(new Fault(cut, when, blow, fallen)));
        return fallen;
    }

    /** Every batch that was uploaded, whole or cut, with all contents it ever had, decompressed. */
    Map<BatchKey, Set<String>> contents() {
        return Map.copyOf(contents);
    }

    /** How often it was sent. */
    int tries(BatchKey batch) {
        return tries.getOrDefault(batch, 0);
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Matcher batch = BATCH.matcher(exchange.getRequestURI().getPath());
            if (batch.matches()) {
                BatchKey key = new BatchKey(batch.group(1), Integer.parseInt(batch.group(2)));
                remember(key, body);
                Optional<Fault> fault =
                        armed.getAndUpdate(f -> f.filter(some -> !some.when().test(key)));
                if (fault.isPresent() && fault.get().when().test(key)) {
                    breakOff(exchange, key, body, fault.get());
                    return; // without an answer
                }
            }
            forward(exchange, body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void remember(BatchKey key, byte[] body) throws IOException {
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(body))) {
            String text = new String(unpacked.readAllBytes(), StandardCharsets.UTF_8);
            contents.computeIfAbsent(key, k -> ConcurrentHashMap.newKeySet()).add(text);
            tries.merge(key, 1, Integer::sum);
        }
    }

    private void forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(service.resolve(exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        headers(exchange).forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        HttpResponse<byte[]> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            return; // the service is down: so is the wire
        }
        response.headers().map().forEach((name, values) -> {
            if (passes(name)) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        byte[] answer = response.body();
        exchange.sendResponseHeaders(response.statusCode(), answer.length == 0 ? -1 : answer.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
        }
    }

    private void breakOff(HttpExchange exchange, BatchKey key, byte[] body, Fault fault) {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(head(exchange, body.length));
            out.write(body, 0, fault.cut() == Cut.HALF_SENT ? body.length / 2 : body.length);
            out.flush();
            if (fault.cut() == Cut.ANSWERED) {
                String status = new BufferedReader(
                                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine();
                if (status == null || !status.startsWith("HTTP/1.1 204")) {
                    throw new AssertionError("the service did not store " + key + ": " + status);
                }
            }
            fault.blow().fall();
            fault.fallen().complete(key);
        } catch (Exception | AssertionError e) {
            fault.fallen().completeExceptionally(e);
        }
    }

    private byte[] head(HttpExchange exchange, int length) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.writeBytes(ascii(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " HTTP/1.1\r\nHost: "
                + service.getAuthority() + "\r\nContent-Length: " + length + "\r\n"));
        headers(exchange)
                .forEach((name, values) ->
                        values.forEach(value -> head.writeBytes(ascii(name + ": " + value + "\r\n"))));
        head.writeBytes(ascii("\r\n"));
        return head.toByteArray();
    }

    private static Map<String, List<String>> headers(HttpExchange exchange) {
        Map<String, List<String>> passed = new ConcurrentHashMap<>(exchange.getRequestHeaders());
        passed.keySet().removeIf(name -> !passes(name));
        return passed;
    }

    private static boolean passes(String header) {
        return !OF_ONE_HOP.contains(header.toLowerCase(Locale.ROOT));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        server.stop(0);
        client.shutdownNow();
    }
}
