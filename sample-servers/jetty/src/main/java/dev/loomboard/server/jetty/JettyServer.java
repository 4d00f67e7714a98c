package dev.loomboard.server.jetty;

import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.eclipse.jetty.http.pathmap.ServletPathSpec;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.PathMappingsHandler;
import org.eclipse.jetty.util.Callback;

/** The server, as RATIONALE.md says why. */
final class JettyServer {

    /** Connections that the kernel may hold until they are accepted (it caps this at net.core.somaxconn). */
    private static final int BACKLOG = 4_096;

    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);

    private JettyServer() {}

    public static void main(String[] args) throws Exception {
        Settings settings = Settings.of(args);
        Server server = start(settings, Workloads.BY_PATH);
        System.out.printf(
                "jetty %s on JDK %s answers on port %d%n", settings.variant(), Runtime.version(), port(server));
    }

    static Server start(Settings settings, Map<String, Workload> workloads) throws Exception {
        Server server = new Server(settings.variant().threads());
        server.addConnector(connector(server, settings));
        PathMappingsHandler paths = paths(workloads);
        settings.database().map(Pool::of).ifPresent(database -> ask(paths, database));
        server.setHandler(paths);
        server.start();
        return server;
    }

    static int port(Server server) {
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    private static ServerConnector connector(Server server, Settings settings) {
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(settings.address());
        connector.setPort(settings.port());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(IDLE_TIMEOUT.toMillis());
        return connector;
    }

    private static PathMappingsHandler paths(Map<String, Workload> workloads) {
        PathMappingsHandler paths = new PathMappingsHandler(false);
        paths.addMapping(new ServletPathSpec("/ready"), new Ready());
        workloads.forEach(
                (path, workload) -> paths.addMapping(new ServletPathSpec(path), new WorkloadHandler(workload)));
        return paths;
    }

    /** The workloads that ask a database. */
    private static void ask(PathMappingsHandler paths, DataSource database) {
        paths.addMapping(new ServletPathSpec("/fortunes"), new WorkloadHandler(new Fortunes(database)));
        paths.addMapping(new ServletPathSpec("/sql-sleep"), new WorkloadHandler(new SqlSleep(database)));
        paths.addMapping(new ServletPathSpec(TodoHandler.PATH + "/*"), new TodoHandler(new Todos(database)));
    }

    private static final class Ready extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            callback.succeeded();
            return true;
        }
    }
}
