package dev.loomboard.jdkpages;

import dev.loomboard.jdkflags.JdkFlagStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.matching.CompareStore;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** JDK builds: all, of one feature release, and one. */
@Controller
class JdkPages {

    private final JdkPageStore store;
    private final CompareStore comparisons;
    private final JdkFlagStore flags;
    private final PageRenderer html;
    private final DataTwins twins;

    JdkPages(JdkPageStore store, CompareStore comparisons, JdkFlagStore flags, PageRenderer html, DataTwins twins) {
        this.store = store;
        this.comparisons = comparisons;
        this.flags = flags;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/jdks")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller caller) {
        return builds(caller, null).map(page -> html.show(shell, page));
    }

    @GetMapping("/jdks.json")
    Mono<ResponseEntity<byte[]>> listJson(Caller caller) {
        return builds(caller, null).map(page -> twins.json("loomboard.jdks/1", page));
    }

    @GetMapping("/jdks/{feature}")
    Mono<ResponseEntity<byte[]>> feature(PageContext shell, Caller caller, @PathVariable String feature) {
        return number(feature).flatMap(f -> builds(caller, f)).map(page -> html.show(shell, page));
    }

    @GetMapping("/jdks/{feature}.json")
    Mono<ResponseEntity<byte[]>> featureJson(Caller caller, @PathVariable String feature) {
        return number(feature).flatMap(f -> builds(caller, f)).map(page -> twins.json("loomboard.jdks/1", page));
    }

    @GetMapping("/jdks/{feature}/{build}")
    Mono<ResponseEntity<byte[]>> build(
            PageContext shell, Caller caller, @PathVariable String feature, @PathVariable String build) {
        return number(feature).flatMap(f -> build(caller, f, build)).map(page -> html.show(shell, page));
    }

    @GetMapping("/jdks/{feature}/{build}.json")
    Mono<ResponseEntity<byte[]>> buildJson(Caller caller, @PathVariable String feature, @PathVariable String build) {
        return number(feature)
                .flatMap(f -> build(caller, f, build))
                .map(page -> twins.json("loomboard.jdk/2", page.twin()));
    }

    private Mono<JdkListPage> builds(Caller caller, @Nullable Integer feature) {
        return store.builds(caller).flatMap(all -> {
            List<JdkView> shown = all.stream()
                    .filter(b -> feature == null || b.jdk().feature() == feature)
                    .toList();
            return feature != null && shown.isEmpty()
                    ? Mono.error(Problem.notFound().asException())
                    : Mono.just(new JdkListPage(feature, shown));
        });
    }

    private Mono<JdkPage> build(Caller caller, int feature, String slug) {
        return store.builds(caller)
                .flatMap(all -> Mono.justOrEmpty(all.stream()
                                .filter(b -> b.slug().equals(slug) && b.jdk().feature() == feature)
                                .findFirst())
                        .flatMap(build -> page(caller, build, all))
                        .switchIfEmpty(Mono.error(() -> Problem.notFound().asException())));
    }

    private Mono<JdkPage> page(Caller caller, JdkView build, List<JdkView> all) {
        return Mono.zip(steps(caller, build, all).collectList(), store.results(caller, build.slug()))
                .map(found -> new JdkPage(
                        build,
                        found.getT1(),
                        found.getT2(),
                        all.stream()
                                .filter(b -> !b.slug().equals(build.slug()) && b.results() > 0)
                                .toList()));
    }

    /** A release before it may be the build before it. Four queries each. */
    private Flux<BuildStep> steps(Caller caller, JdkView build, List<JdkView> all) {
        JdkView before = JdkView.before(build, all);
        JdkView release = JdkView.releaseBefore(build, all);
        return Flux.concat(
                step(caller, BuildStep.To.BEFORE, before, build),
                release == before ? Mono.empty() : step(caller, BuildStep.To.RELEASE, release, build));
    }

    private Mono<BuildStep> step(Caller caller, BuildStep.To to, @Nullable JdkView other, JdkView build) {
        return other == null
                ? Mono.empty()
                : Mono.zip(
                                comparisons.compare(other.slug(), build.slug(), BuildStep.METRICS, caller),
                                flags.between(caller, other.slug(), build.slug())
                                        .map(Optional::of)
                                        .defaultIfEmpty(Optional.empty()))
                        .map(found -> BuildStep.of(to, found.getT1(), found.getT2()))
                        .filter(step -> !step.empty());
    }

    /** What is no number is no feature release: 404 like any other that is not there. */
    private static Mono<Integer> number(String feature) {
        return feature.matches("\\d{1,3}")
                ? Mono.just(Integer.valueOf(feature))
                : Mono.error(Problem.notFound().asException());
    }
}
