package dev.loomboard.runimport;

import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.PublicUrl;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/** Begins when the service is ready, beside its work, where its operator named a folder. Ends with the service. */
@Configuration(proxyBeanMethods = false)
class ShippedResultsConfig implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(ShippedResultsConfig.class);

    private final ShippedResultsService results;
    private final PublicUrl url;
    private final String folder;
    private @Nullable Disposable work;

    ShippedResultsConfig(
            ShippedResultsService results, PublicUrl url, @Value("${loomboard.shipped-results}") String folder) {
        this.results = results;
        this.url = url;
        this.folder = folder.strip();
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        if (!folder.isEmpty()) {
            work = results.take(Path.of(folder))
                    .subscribeOn(Schedulers.boundedElastic())
                    .subscribe(this::say, e -> LOG.error("Shipped results: done, none could be imported", e));
        }
    }

    /** Scripts look for the first words of these lines (runner-agent/internal/local/results.go); the last says that all is done. */
    private void say(ShippedResults taken) {
        taken.problems().forEach(problem -> LOG.warn("Shipped results: {}", problem));
        LOG.info(
                "Shipped results: done, {} of {} runs are at {}",
                taken.present(),
                taken.files(),
                url.trusted() + PeopleUrls.workspace(ShippedResultsService.WORKSPACE));
    }

    @Override
    public void destroy() {
        if (work != null) {
            work.dispose();
        }
    }
}
