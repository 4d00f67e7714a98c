package dev.loomboard.runpages;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/** Runs by month. */
@Controller
class RunMonthPages {

    private final RunMonthStore store;
    private final PageRenderer html;
    private final DataTwins twins;

    RunMonthPages(RunMonthStore store, PageRenderer html, DataTwins twins) {
        this.store = store;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/runs/months/{month}")
    Mono<ResponseEntity<byte[]>> month(PageContext shell, Caller caller, @PathVariable String month) {
        return page(caller, month).map(page -> html.show(shell, page));
    }

    @GetMapping("/runs/months/{month}.json")
    Mono<ResponseEntity<byte[]>> monthJson(Caller caller, @PathVariable String month) {
        return page(caller, month).map(page -> twins.json("loomboard.runs-of-month/1", page.twin()));
    }

    private Mono<RunMonthPage> page(Caller caller, String text) {
        YearMonth month;
        try {
            month = YearMonth.parse(text);
        } catch (DateTimeException e) {
            return Mono.error(Problem.notFound().asException());
        }
        return Mono.zip(store.runs(caller, month), store.months(caller))
                .filter(found -> found.getT2().contains(month))
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .map(found -> {
                    List<RunMonthPage.Row> runs = found.getT1();
                    boolean more = runs.size() > RunMonthStore.MOST;
                    return new RunMonthPage(
                            month, more ? runs.subList(0, RunMonthStore.MOST) : runs, more, found.getT2());
                });
    }
}
