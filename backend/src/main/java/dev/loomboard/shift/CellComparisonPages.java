package dev.loomboard.shift;

import dev.loomboard.kernel.Caller;
import dev.loomboard.limits.HeavyPages;
import dev.loomboard.picture.ChartPicture;
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

/** Two cells in all detail: the shift of their distributions, flags, contention. */
@Controller
class CellComparisonPages {

    private static final List<String> CSV_HEAD =
            List.of("percentile", "quantile", "a_ms", "b_ms", "step_ms", "ratio", "low", "high", "blocks", "reason");

    private final CellComparisonService cells;
    private final HeavyPages heavy;
    private final PageRenderer html;
    private final DataTwins twins;

    CellComparisonPages(CellComparisonService cells, HeavyPages heavy, PageRenderer html, DataTwins twins) {
        this.heavy = heavy;
        this.cells = cells;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/compare/cells")
    Mono<ResponseEntity<byte[]>> cells(
            PageContext shell, Caller caller, @RequestParam String a, @RequestParam String b) {
        return heavy.inTurn(page(a, b, caller).map(page -> html.show(shell, page)));
    }

    @GetMapping("/compare/cells.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @RequestParam String a, @RequestParam String b) {
        return heavy.inTurn(page(a, b, caller).map(page -> twins.json("loomboard.cells/1", page)));
    }

    @GetMapping("/compare/cells.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @RequestParam String a, @RequestParam String b) {
        return heavy.inTurn(page(a, b, caller).map(page -> twins.csv(CSV_HEAD, rows(page.shift()))));
    }

    @GetMapping("/compare/cells.svg")
    Mono<ResponseEntity<byte[]>> svg(PageContext shell, Caller caller, @RequestParam String a, @RequestParam String b) {
        return heavy.inTurn(page(a, b, caller)
                .map(page -> twins.svg(ChartPicture.of(
                        page.charts(),
                        null,
                        page.title(),
                        shell.address(page.query().url())))));
    }

    private Mono<CellComparisonPage> page(String a, String b, Caller caller) {
        return cells.page(a, b, caller)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }

    private static List<List<@Nullable Object>> rows(@Nullable ShiftFunction shift) {
        return shift == null
                ? List.of()
                : shift.points().stream().map(CellComparisonPages::row).toList();
    }

    private static List<@Nullable Object> row(ShiftFunction.Point point) {
        return Arrays.asList(
                point.percentile(),
                point.quantile(),
                point.baseline(),
                point.candidate(),
                point.step(),
                point.ratio(),
                point.low(),
                point.high(),
                point.blocks(),
                point.reason());
    }
}
