package dev.loomboard.runpages;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.run.RunEventService;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The live part of a run's page: sent again whenever the run has changed, until it is over. */
@Controller
class RunLivePages {

    /** A run changes many times a second while batches arrive; a person reads once. */
    private static final Duration AT_MOST_EVERY = Duration.ofMillis(700);

    /** Keeps proxies from closing a quiet stream, and catches what a lost notification would have said. */
    private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(15);

    private final RunPageStore store;
    private final RunEventService events;
    private final PageRenderer html;
    private final AtomicInteger open = new AtomicInteger();

    RunLivePages(RunPageStore store, RunEventService events, PageRenderer html, MeterRegistry registry) {
        this.store = store;
        this.events = events;
        this.html = html;
        Gauge.builder("loomboard.event.streams.open", open, AtomicInteger::get)
                .description("Browsers that watch a run")
                .register(registry);
    }

    @GetMapping(path = "/runs/{runId}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @ResponseBody
    Flux<ServerSentEvent<String>> live(PageContext shell, Caller caller, @PathVariable String runId) {
        return find(caller, runId)
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .flatMapMany(run -> stream(shell, caller, runId)
                        .doOnSubscribe(begun -> open.incrementAndGet())
                        .doFinally(ended -> open.decrementAndGet()));
    }

    private Flux<ServerSentEvent<String>> stream(PageContext shell, Caller caller, String id) {
        Flux<String> signs = Flux.merge(
                Flux.just(id),
                events.changes(id).sample(AT_MOST_EVERY),
                Flux.interval(AT_LEAST_EVERY).map(tick -> id));
        return signs.onBackpressureLatest()
                .concatMap(sign -> find(caller, id), 1)
                .takeUntil(found -> found.run().over())
                .takeUntilOther(events.stopping())
                .concatMap(found -> parts(shell, RunPage.of(found, caller)), 1);
    }

    private Flux<ServerSentEvent<String>> parts(PageContext shell, RunPage page) {
        String part = html.text("run/_live.jte", Map.of("page", page, "shell", shell));
        ServerSentEvent<String> live =
                ServerSentEvent.builder(part).event("live").build();
        return page.detail().run().over()
                ? Flux.just(live, ServerSentEvent.builder("over").event("over").build())
                : Flux.just(live);
    }

    private Mono<RunDetail> find(Caller caller, String id) {
        return ExternalId.isOf("run", id) ? store.find(caller, id) : Mono.empty();
    }
}
