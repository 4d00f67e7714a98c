package dev.loomboard.openid;

import dev.loomboard.credential.SignInProvider;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The provider by which people may sign in, if the operator named one. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OpenIdConfig.Settings.class)
class OpenIdConfig {

    /** @param issuer blank: people sign in by the service's own means alone */
    @ConfigurationProperties("loomboard.openid")
    record Settings(String issuer, String clientId, String clientSecret, String name) {}

    @Bean
    Provider provider(Settings settings) {
        return Provider.of(
                settings.issuer().strip(),
                settings.clientId().strip(),
                settings.clientSecret().strip(),
                settings.name().strip());
    }

    @Bean
    SignInProvider signInProvider(Provider provider) {
        return provider.configured() ? new SignInProvider(provider.issuer(), provider.name()) : SignInProvider.NONE;
    }
}
