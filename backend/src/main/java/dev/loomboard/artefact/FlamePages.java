package dev.loomboard.artefact;

import dev.loomboard.kernel.Caller;
import dev.loomboard.limits.HeavyPages;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** The differential flame graph of two cells. */
@Controller
class FlamePages {

    private static final List<String> CSV_HEAD = List.of(
            "method",
            "samples_a",
            "samples_b",
            "self_share_a",
            "self_share_b",
            "difference",
            "low",
            "high",
            "beyond_sampling_error");

    private final FlameService service;
    private final HeavyPages heavy;
    private final PageRenderer html;
    private final DataTwins twins;

    FlamePages(FlameService service, HeavyPages heavy, PageRenderer html, DataTwins twins) {
        this.heavy = heavy;
        this.service = service;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/flames")
    Mono<ResponseEntity<byte[]>> flames(
            PageContext shell,
            Caller caller,
            @RequestParam(defaultValue = "") String a,
            @RequestParam(defaultValue = "") String b) {
        return heavy.inTurn(find(caller, a, b).map(flames -> html.show(shell, new FlamesPage(flames))));
    }

    /** With the boxes that the page's script draws. */
    @GetMapping("/flames.json")
    Mono<ResponseEntity<byte[]>> json(
            Caller caller, @RequestParam(defaultValue = "") String a, @RequestParam(defaultValue = "") String b) {
        return heavy.inTurn(find(caller, a, b).map(flames -> twins.json("loomboard.flames/1", flames.twin())));
    }

    @GetMapping("/flames.csv")
    Mono<ResponseEntity<byte[]>> csv(
            Caller caller, @RequestParam(defaultValue = "") String a, @RequestParam(defaultValue = "") String b) {
        return heavy.inTurn(find(caller, a, b).map(flames -> twins.csv(CSV_HEAD, rows(flames.difference()))));
    }

    private Mono<Flames> find(Caller caller, String a, String b) {
        return service.between(a, b, caller)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }

    private static List<List<@Nullable Object>> rows(@Nullable FlameDifference difference) {
        return difference == null
                ? List.of()
                : difference.methods().stream().map(FlamePages::row).toList();
    }

    private static List<@Nullable Object> row(FlameDifference.Method m) {
        return Arrays.asList(
                m.name(),
                m.baseline(),
                m.candidate(),
                m.share(),
                m.candidateShare(),
                m.difference(),
                m.low(),
                m.high(),
                m.beyondError());
    }
}
