package dev.loomboard.server.vertx;

/** The program: {@code java -jar vertx.jar --variant=event-loop --port=8080}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        Settings settings = Settings.parse(args, System.getenv());
        Server server = Server.start(settings);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        System.out.printf(
                "vertx %s on JDK %s answers on port %d%n", settings.variant().title, Runtime.version(), server.port());
    }
}
