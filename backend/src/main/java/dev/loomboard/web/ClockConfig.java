package dev.loomboard.web;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ClockConfig {

    /** The only source of wall-clock time; tests inject another. */
    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
