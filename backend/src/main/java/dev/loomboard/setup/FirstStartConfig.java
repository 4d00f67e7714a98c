package dev.loomboard.setup;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.PublicUrl;
import dev.loomboard.web.Urls;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** What must be true before the first request: the operator's token is known, and there is a way to an administrator. */
@Configuration(proxyBeanMethods = false)
@DependsOnDatabaseInitialization
class FirstStartConfig implements InitializingBean {

    private static final Logger LOG = LoggerFactory.getLogger(FirstStartConfig.class);

    /** Starting waits for the database once, here; nothing that serves requests ever does. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final SetupService setup;
    private final PublicUrl publicUrl;
    private final String bootstrapToken;
    private @Nullable Secret link;

    FirstStartConfig(
            SetupService setup, PublicUrl publicUrl, @Value("${loomboard.bootstrap-token}") String bootstrapToken) {
        this.setup = setup;
        this.publicUrl = publicUrl;
        this.bootstrapToken = bootstrapToken;
    }

    @Override
    public void afterPropertiesSet() {
        setup.acceptBootstrapToken(bootstrap().orElse(null)).block(TIMEOUT);
        link = setup.linkIfNeeded().block(TIMEOUT);
    }

    /** Scripts look for the first words of these lines; the last of them says that the service is ready. */
    @EventListener(ApplicationReadyEvent.class)
    void print() {
        String base = publicUrl.trusted();
        Secret unused = link;
        if (unused != null) {
            LOG.info(
                    "First administrator: open {} (works once, for {} h)",
                    base + PeopleUrls.setup(unused.value()),
                    SetupService.LINK_LIFE.toHours());
        }
        LOG.info("Loomboard is at {}", base + Urls.home());
    }

    private Optional<Secret> bootstrap() {
        if (bootstrapToken.isBlank()) {
            return Optional.empty();
        }
        if (!Secret.isOf("lbt", bootstrapToken.strip())) {
            throw new StartupRefusal(
                    "LOOMBOARD_BOOTSTRAP_TOKEN is not an API token.",
                    "Give it lbt_ followed by 52 random characters of a-z and 2-7, or leave it out.");
        }
        return Optional.of(new Secret(bootstrapToken.strip()));
    }
}
