package dev.loomboard.limits;

import com.github.benmanes.caffeine.cache.Ticker;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How many requests callers may send. */
@Configuration(proxyBeanMethods = false)
class RequestLimitConfig {

    @Bean
    RequestLimits requestLimits(
            @Value("${loomboard.requests.per-caller}") int perCaller,
            @Value("${loomboard.requests.at-once-per-caller}") int atOncePerCaller,
            @Value("${loomboard.requests.per-address}") int perAddress,
            @Value("${loomboard.requests.at-once-per-address}") int atOncePerAddress) {
        return new RequestLimits(
                new RequestLimits.Rate(perCaller, atOncePerCaller),
                new RequestLimits.Rate(perAddress, atOncePerAddress),
                Ticker.systemTicker());
    }
}
