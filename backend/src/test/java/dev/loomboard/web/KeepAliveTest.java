package dev.loomboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.WebTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * A connection that is kept goes on being read. With the server this guards against (reactor-netty 1.3.6, see
 * reactor-netty#4361) one request in thirty of this mix was never answered.
 */
final class KeepAliveTest extends WebTest {

    private static final int PATIENCE_MS = 120_000; // a stalled connection never answers; nothing is measured by it
    private static final int CONNECTIONS = 8;
    private static final int REQUESTS = 60;

    /** Answered by the database, at once, as an error, and from a file: the turns between them made it stall. */
    private static final List<String> PATHS = List.of(
            "/api/health", "/methodology", "/runs/none", FrontEnd.file("css/tokens.css"), "/jdks", "/favicon.svg");

    @Test
    void every_request_on_a_kept_connection_is_answered() throws Exception {
        try (ExecutorService people = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answered = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                answered.add(people.submit(this::askOneAfterTheOther));
            }
            for (Future<Integer> one : answered) {
                assertThat(one.get()).isEqualTo(REQUESTS);
            }
        }
    }

    private int askOneAfterTheOther() throws IOException {
        try (Socket socket = connect()) {
            BufferedReader answers = reader(socket);
            for (int i = 0; i < REQUESTS; i++) {
                send(socket, request(PATHS.get(i % PATHS.size())));
                assertThat(status(answers)).isIn(200, 404);
            }
            return REQUESTS;
        }
    }

    private Socket connect() throws IOException {
        URI uri = URI.create(service.url());
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }

    private static void send(Socket socket, String request) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(request.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String request(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    /** ISO 8859-1, so that characters are bytes and lengths can be counted. */
    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    /** Reads one answer with a stated length, and gives its status. */
    private static int status(BufferedReader answers) throws IOException {
        String first = answers.readLine();
        assertThat(first).as("an answer").isNotNull();
        int length = 0;
        for (String line = answers.readLine(); line != null && !line.isEmpty(); line = answers.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        for (int i = 0; i < length; i++) {
            answers.read();
        }
        return Integer.parseInt(first.split(" ")[1]);
    }
}
