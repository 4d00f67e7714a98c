package dev.loomboard.server.jdkhttp;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import javax.sql.DataSource;

/** The server, as RATIONALE.md says why. */
final class JdkHttpServer implements AutoCloseable {

    /** Connections that the kernel may hold until they are accepted (it caps this at net.core.somaxconn). */
    private static final int BACKLOG = 4_096;

    static {
        // They are read when the first server is made. Seconds that a connection may be idle:
        System.setProperty("sun.net.httpserver.idleInterval", "300");
        // More than the ports that one load generator has; what is idle beyond is closed after its answer.
        System.setProperty("sun.net.httpserver.maxIdleConnections", "65536");
        // Headers and body may be two packets, the second of which would wait for the client's acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer http;
    private final ExecutorService threads;

    private JdkHttpServer(HttpServer http, ExecutorService threads) {
        this.http = http;
        this.threads = threads;
    }

    public static void main(String[] args) throws IOException {
        Settings settings = Settings.of(args);
        JdkHttpServer server = start(settings, Workloads.BY_PATH);
        System.out.printf(
                "jdk-httpserver %s on JDK %s answers on port %d%n",
                settings.variant(), Runtime.version(), server.port());
    }

    static JdkHttpServer start(Settings settings, Map<String, Workload> workloads) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(settings.address(), settings.port()), BACKLOG);
        ExecutorService threads = settings.variant().threads();
        http.setExecutor(threads);
        http.createContext("/ready", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        workloads.forEach((path, workload) -> http.createContext(path, new WorkloadHandler(workload)));
        settings.database().map(Pool::of).ifPresent(database -> ask(http, database));
        http.start();
        return new JdkHttpServer(http, threads);
    }

    /** The workloads that ask a database. */
    private static void ask(HttpServer http, DataSource database) {
        http.createContext("/fortunes", new WorkloadHandler(new Fortunes(database)));
        http.createContext("/sql-sleep", new WorkloadHandler(new SqlSleep(database)));
        http.createContext(TodoHandler.PATH, new TodoHandler(new Todos(database)));
    }

    int port() {
        return http.getAddress().getPort();
    }

    ExecutorService threads() {
        return threads;
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
