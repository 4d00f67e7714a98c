package dev.loomboard.recompute;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/** Begins when the service is ready, beside its work: a start is not to wait for years of results. Ends with the service. */
@Configuration
class MethodologyUpgradeConfig implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(MethodologyUpgradeConfig.class);

    private final MethodologyUpgradeService upgrade;
    private @Nullable Disposable work;

    MethodologyUpgradeConfig(MethodologyUpgradeService upgrade) {
        this.upgrade = upgrade;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        work = upgrade.upgrade()
                .subscribeOn(Schedulers.boundedElastic())
                .subscribe(
                        made -> {},
                        e -> LOG.error(
                                "Results of an earlier methodology could not be recomputed; they stay unranked", e));
    }

    @Override
    public void destroy() {
        if (work != null) {
            work.dispose();
        }
    }
}
