package dev.loomboard.server.webflux;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

@SpringBootApplication
class SpringWebfluxApplication {

    private static final Logger log = LoggerFactory.getLogger(SpringWebfluxApplication.class);

    public static void main(String[] args) {
        SpringApplication.run(SpringWebfluxApplication.class, args);
    }

    /** The one line of a quiet log: what runs, on which JDK, and where. */
    @EventListener
    void ready(ApplicationReadyEvent event) {
        Environment env = event.getApplicationContext().getEnvironment();
        log.info(
                "{} {} on JDK {} answers on port {}, started in {} ms",
                env.getProperty("spring.application.name"),
                env.getProperty("loomboard.variant"),
                Runtime.version(),
                env.getProperty("local.server.port"),
                event.getTimeTaken().toMillis());
    }
}
