package dev.loomboard.recompute;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import reactor.core.scheduler.Schedulers;

/** Begins when the service is ready, beside its work: a start is not to wait for years of results. */
@Configuration
class MethodologyUpgradeConfig {

    private final MethodologyUpgradeService upgrade;

    MethodologyUpgradeConfig(MethodologyUpgradeService upgrade) {
        this.upgrade = upgrade;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        upgrade.upgrade().subscribeOn(Schedulers.boundedElastic()).subscribe();
    }
}
