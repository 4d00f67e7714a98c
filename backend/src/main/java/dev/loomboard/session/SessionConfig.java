package dev.loomboard.session;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SessionConfig {

    @Bean
    SessionLimits sessionLimits(
            @Value("${loomboard.session.idle}") Duration idle, @Value("${loomboard.session.life}") Duration life) {
        return new SessionLimits(idle, life);
    }
}
