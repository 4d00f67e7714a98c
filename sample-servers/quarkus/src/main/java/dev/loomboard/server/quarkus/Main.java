package dev.loomboard.server.quarkus;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The program: {@code java -jar quarkus.jar --variant=virtual --port=8080 --address=127.0.0.1}. */
@QuarkusMain
public final class Main {

    public static void main(String... args) {
        Settings.of(args).forEach(System::setProperty);
        Quarkus.run();
    }
}
