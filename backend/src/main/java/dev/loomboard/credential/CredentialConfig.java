package dev.loomboard.credential;

import com.github.benmanes.caffeine.cache.Ticker;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class CredentialConfig {

    /** One for all that people prove themselves by, so that who may guess at one place has not as many tries at another. */
    @Bean
    SignInThrottle signInThrottle() {
        return new SignInThrottle(Ticker.systemTicker());
    }

    @Bean
    AskingThrottle askingThrottle() {
        return new AskingThrottle(Ticker.systemTicker(), SignInThrottle.WINDOW);
    }

    @Bean
    SignUpMode signUpMode(@Value("${loomboard.sign-up}") String setting) {
        return SignUpMode.of(setting);
    }
}
