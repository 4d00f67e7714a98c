package dev.loomboard.server.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.Micronaut;
import java.util.Map;

/** The program: {@code java -jar micronaut.jar --variant=virtual --port=8080 --address=127.0.0.1}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        start(Settings.of(args));
    }

    static ApplicationContext start(Map<String, Object> properties) {
        return Micronaut.build(new String[0])
                .mainClass(Main.class)
                .properties(properties)
                .banner(false)
                .start();
    }
}
