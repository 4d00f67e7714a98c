package dev.loomboard.webhook;

import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kernel.WireName;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class WebhookConfig {

    @Bean
    WebhookReach webhookReach(@Value("${loomboard.webhooks}") String reach) {
        return WireName.find(WebhookReach.class, reach.strip().toLowerCase(Locale.ROOT))
                .orElseThrow(() -> new StartupRefusal(
                        "LOOMBOARD_WEBHOOKS is " + reach + ".",
                        "Set it to one of " + WireName.choices(WebhookReach.class) + ", or leave it out."));
    }
}
