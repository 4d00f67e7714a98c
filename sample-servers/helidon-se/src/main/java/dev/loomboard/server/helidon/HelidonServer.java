package dev.loomboard.server.helidon;

import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpService;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The server, as RATIONALE.md says why. */
final class HelidonServer {

    private HelidonServer() {}

    public static void main(String[] args) {
        Settings settings = Settings.of(args);
        List<HttpService> services = new ArrayList<>(List.of(new WorkloadService()));
        settings.database().map(Pool::of).ifPresent(database -> services.addAll(asking(database)));
        WebServer server = start(settings, services);
        System.out.printf("helidon-se on JDK %s answers on port %d%n", Runtime.version(), server.port());
    }

    /** The workloads that ask a database. */
    private static List<HttpService> asking(DataSource database) {
        return List.of(
                new FortunesService(database), new SqlSleepService(database), new TodoService(new Todos(database)));
    }

    static WebServer start(Settings settings, List<HttpService> services) {
        return WebServer.builder()
                .host(settings.address())
                .port(settings.port())
                .routing(routing -> route(routing, services))
                .build()
                .start();
    }

    private static void route(HttpRouting.Builder routing, List<HttpService> services) {
        routing.get("/ready", (request, response) -> response.send())
                .register(services.toArray(HttpService[]::new))
                .error(
                        BadParameter.class,
                        (request, response, bad) ->
                                response.status(Status.BAD_REQUEST_400).send(bad.getMessage()));
    }
}
