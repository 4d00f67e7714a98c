package dev.loomboard.runpages;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.machine.MachineView;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** Runs: the list, and one of them. */
@Controller
class RunReadPages {

    private static final List<String> CSV_HEAD = List.of(
            "scenario",
            "server",
            "variant",
            "jdk",
            "trial",
            "kind",
            "ordinal",
            "state",
            "validity",
            "reason",
            "metric",
            "value",
            "eligible",
            "operation");

    private static final String BEFORE = "before";
    private static final MediaType YAML = new MediaType("application", "yaml", StandardCharsets.UTF_8);

    private final RunPageStore store;
    private final RunListStore list;
    private final RunMonthStore months;
    private final MachineStore machines;
    private final PageRenderer html;
    private final DataTwins twins;
    private final Clock clock;

    RunReadPages(
            RunPageStore store,
            RunListStore list,
            RunMonthStore months,
            MachineStore machines,
            PageRenderer html,
            DataTwins twins,
            Clock clock) {
        this.store = store;
        this.list = list;
        this.months = months;
        this.machines = machines;
        this.html = html;
        this.twins = twins;
        this.clock = clock;
    }

    @GetMapping("/runs")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, query).map(page -> html.show(shell, page));
    }

    @GetMapping("/runs.json")
    Mono<ResponseEntity<byte[]>> listJson(Caller caller, @RequestParam Map<String, String> query) {
        return page(caller, query).map(page -> twins.json("loomboard.runs/1", page.twin()));
    }

    @GetMapping("/runs/{runId}")
    Mono<ResponseEntity<byte[]>> run(PageContext shell, Caller caller, @PathVariable String runId) {
        return find(caller, runId).map(run -> html.show(shell, RunPage.of(run, caller)));
    }

    @GetMapping("/runs/{runId}.json")
    Mono<ResponseEntity<byte[]>> runJson(Caller caller, @PathVariable String runId) {
        return find(caller, runId).map(run -> twins.json("loomboard.run/1", run));
    }

    @GetMapping("/runs/{runId}.csv")
    Mono<ResponseEntity<byte[]>> runCsv(Caller caller, @PathVariable String runId) {
        return find(caller, runId).map(run -> twins.csv(CSV_HEAD, rows(run)));
    }

    /** The matrix that it was made of, to run it elsewhere. */
    @GetMapping("/runs/{runId}/matrix.yaml")
    Mono<ResponseEntity<String>> matrix(Caller caller, @PathVariable String runId) {
        return (ExternalId.isOf("run", runId) ? store.matrix(caller, runId) : Mono.<String>empty())
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .map(text -> ResponseEntity.ok()
                        .contentType(YAML)
                        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"matrix.yaml\"")
                        .header(HttpHeaders.VARY, "Cookie")
                        .cacheControl(CacheControl.noCache())
                        .body(text));
    }

    private Mono<RunDetail> find(Caller caller, String id) {
        return (ExternalId.isOf("run", id) ? store.find(caller, id) : Mono.<RunDetail>empty())
                .switchIfEmpty(Mono.error(Problem.notFound().asException()));
    }

    private Mono<RunListPage> page(Caller caller, Map<String, String> query) {
        RunFilter filter = RunFilter.of(query);
        String before = query.get(BEFORE);
        Instant from;
        try {
            from = before == null ? clock.instant().plusSeconds(60) : FieldChecks.instant(BEFORE, before);
        } catch (FieldChecks.Refused e) {
            return Mono.error(Problem.invalid(e.field(), e.what()).asException());
        }
        return Mono.zip(
                        list.list(caller, filter, from),
                        machines.visible(caller).collectList(),
                        months.months(caller))
                .map(found -> page(filter, found.getT2(), found.getT1(), found.getT3(), before != null));
    }

    private static RunListPage page(
            RunFilter filter,
            List<MachineView.Summary> machines,
            List<RunListPage.Row> rows,
            List<YearMonth> months,
            boolean older) {
        boolean more = rows.size() > RunListStore.PAGE;
        List<RunListPage.Row> shown = more ? rows.subList(0, RunListStore.PAGE) : rows;
        return new RunListPage(
                filter,
                machines,
                List.copyOf(shown),
                months,
                more ? filter.query().with(BEFORE, shown.getLast().createdAt().toString()) : null,
                older ? filter.query().url() : null);
    }

    private static List<List<@Nullable Object>> rows(RunDetail run) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (RunDetail.Cell cell : run.cells()) {
            for (RunDetail.Trial trial : cell.trials()) {
                List<@Nullable Object> head = Arrays.asList(
                        cell.scenario().key(),
                        cell.server().name(),
                        cell.server().variant(),
                        cell.jdk().slug(),
                        trial.id(),
                        trial.kind().wire(),
                        trial.ordinal(),
                        trial.state().wire(),
                        trial.validity() == null ? null : trial.validity().wire(),
                        trial.reason());
                if (trial.readings().isEmpty()) {
                    rows.add(join(head, null, null, null, null));
                }
                trial.readings().forEach((metric, r) -> rows.add(join(head, metric, r.mean(), r.eligible(), null)));
                cell.operations()
                        .forEach(operation -> operation
                                .of(trial.id())
                                .forEach((metric, v) ->
                                        rows.add(join(head, metric, v.value(), v.eligible(), operation.name()))));
            }
        }
        return rows;
    }

    private static List<@Nullable Object> join(
            List<@Nullable Object> head,
            @Nullable Object metric,
            @Nullable Object value,
            @Nullable Object eligible,
            @Nullable String operation) {
        List<@Nullable Object> row = new ArrayList<>(head);
        row.add(metric);
        row.add(value);
        row.add(eligible);
        row.add(operation);
        return row;
    }
}
