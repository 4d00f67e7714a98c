package dev.loomboard.trial;

import dev.loomboard.artefact.ArtefactStore;
import dev.loomboard.artefact.Diagnostics;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.limits.HeavyPages;
import dev.loomboard.picture.ChartPicture;
import dev.loomboard.rollup.OperationNumbers;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** A trial down to its samples. */
@Controller
class TrialPages {

    private final TrialStore store;
    private final TrialOperationsStore operations;
    private final ArtefactStore artefacts;
    private final HeavyPages heavy;
    private final PageRenderer html;
    private final DataTwins twins;

    TrialPages(
            TrialStore store,
            TrialOperationsStore operations,
            ArtefactStore artefacts,
            HeavyPages heavy,
            PageRenderer html,
            DataTwins twins) {
        this.store = store;
        this.operations = operations;
        this.artefacts = artefacts;
        this.heavy = heavy;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/trials/{id}")
    Mono<ResponseEntity<byte[]>> trial(
            PageContext shell, Caller caller, @PathVariable String id, @RequestParam(defaultValue = "0") int step) {
        return heavy.inTurn(page(caller, id, step).map(page -> html.show(shell, page)));
    }

    @GetMapping("/trials/{id}.json")
    Mono<ResponseEntity<byte[]>> json(
            Caller caller, @PathVariable String id, @RequestParam(defaultValue = "0") int step) {
        return heavy.inTurn(page(caller, id, step).map(page -> twins.json("loomboard.trial/1", page)));
    }

    /** The samples as charts show them: one row per metric and time. */
    @GetMapping("/trials/{id}.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @PathVariable String id) {
        return heavy.inTurn(page(caller, id, 0)
                .map(page -> twins.csv(List.of("metric", "per_second", "seconds", "value"), rows(page.trial()))));
    }

    /** One of its charts, the first unless {@code chart} names another. */
    @GetMapping("/trials/{id}.svg")
    Mono<ResponseEntity<byte[]>> svg(
            PageContext shell,
            Caller caller,
            @PathVariable String id,
            @RequestParam(defaultValue = "0") int step,
            @RequestParam(required = false) @Nullable String chart) {
        return heavy.inTurn(page(caller, id, step)
                .map(page ->
                        twins.svg(ChartPicture.of(page.charts(), chart, page.title(), shell.address(Urls.trial(id))))));
    }

    private Mono<TrialPage> page(Caller caller, String id, int step) {
        return (ExternalId.isOf("trl", id) ? store.detail(id, caller) : Mono.<TrialDetail>empty())
                .flatMap(trial -> artefacts
                        .ofTrial(id, caller)
                        .flatMap(left -> operations
                                .of(id, step, caller)
                                .flatMap(mix -> store.curve(id, step, caller)
                                        .map(curve -> page(trial, curve, mix, left))
                                        .defaultIfEmpty(page(trial, null, mix, left)))))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()));
    }

    private static TrialPage page(
            TrialDetail trial, @Nullable PercentileCurve curve, List<OperationNumbers> mix, Diagnostics left) {
        return new TrialPage(trial, curve, mix, TrialCharts.of(trial, curve), left);
    }

    private static List<List<@Nullable Object>> rows(TrialDetail trial) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (SampleSeries series : trial.measured().samples()) {
            for (int i = 0; i < series.seconds().size(); i++) {
                List<@Nullable Object> row = new ArrayList<>(
                        List.of(series.metric(), series.rate(), series.seconds().get(i)));
                row.add(series.values().get(i));
                rows.add(row);
            }
        }
        return rows;
    }
}
