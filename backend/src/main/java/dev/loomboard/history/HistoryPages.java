package dev.loomboard.history;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Right;
import dev.loomboard.picture.ChartPicture;
import dev.loomboard.view.Chart;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageCache;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Problem;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** Histories: five queries, of as many points as are shown. */
@Controller
class HistoryPages {

    private static final String SCHEMA = "loomboard.series/1";

    private static final List<String> CSV_HEAD = List.of(
            "feature",
            "vendor",
            "build",
            "measured_at",
            "mean",
            "low",
            "high",
            "trials",
            "standing",
            "reason",
            "segment",
            "run",
            "change",
            "change_status",
            "change_good_build",
            "notes");

    private final SeriesStore store;
    private final PageRenderer html;
    private final PageCache kept;
    private final DataTwins twins;
    private final Clock clock;

    HistoryPages(SeriesStore store, PageRenderer html, PageCache kept, DataTwins twins, Clock clock) {
        this.store = store;
        this.html = html;
        this.kept = kept;
        this.twins = twins;
        this.clock = clock;
    }

    @GetMapping("/series/{id}")
    Mono<ResponseEntity<byte[]>> history(
            PageContext shell,
            Caller caller,
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String range,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to) {
        HistoryRange shown = HistoryRange.of(range, from, to);
        return kept.page(
                shell,
                as -> find(caller, id, SeriesStore.Depth.PAGE, shown)
                        .map(family -> html.show(as, HistoryPage.of(family, shown, form(caller, family)))));
    }

    /** With {@code part=charts} what the page draws, and nothing else. */
    @GetMapping("/series/{id}.json")
    Mono<ResponseEntity<byte[]>> json(
            PageContext shell,
            Caller caller,
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String range,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to,
            @RequestParam(required = false) @Nullable String part) {
        HistoryRange shown = HistoryRange.of(range, from, to);
        return "charts".equals(part)
                ? kept.page(
                        shell,
                        as -> find(caller, id, SeriesStore.Depth.CHART, shown)
                                .map(family -> twins.json(
                                        SCHEMA,
                                        new Charts(
                                                HistoryPage.twin(family, shown).charts()))))
                : find(caller, id, SeriesStore.Depth.TWIN, shown)
                        .map(family -> twins.json(SCHEMA, HistoryPage.twin(family, shown)));
    }

    private record Charts(List<Chart> charts) implements PageTwin {}

    @GetMapping("/series/{id}.csv")
    Mono<ResponseEntity<byte[]>> csv(
            Caller caller,
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String range,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to) {
        return find(caller, id, SeriesStore.Depth.WHOLE, HistoryRange.of(range, from, to))
                .map(family -> twins.csv(CSV_HEAD, rows(family)));
    }

    @GetMapping("/series/{id}.svg")
    Mono<ResponseEntity<byte[]>> svg(
            PageContext shell,
            Caller caller,
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String range,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to) {
        HistoryRange shown = HistoryRange.of(range, from, to);
        return kept.page(
                shell,
                as -> find(caller, id, SeriesStore.Depth.CHART, shown).map(family -> {
                    HistoryPage page = HistoryPage.of(family, shown, null);
                    return twins.svg(ChartPicture.of(
                            HistoryPage.twin(family, shown).charts(),
                            null,
                            page.heading(),
                            as.address(page.query().url())));
                }));
    }

    /** For those who may write notes. */
    private @Nullable FormState form(Caller caller, SeriesFamily family) {
        return caller instanceof Caller.Person && caller.may(Right.NOTE, family.workspaceKey())
                ? NewNote.blank(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC))
                : null;
    }

    private Mono<SeriesFamily> find(Caller caller, String id, SeriesStore.Depth depth, HistoryRange range) {
        return (ExternalId.isOf("ser", id) ? store.family(id, caller, depth, range) : Mono.<SeriesFamily>empty())
                .switchIfEmpty(Mono.error(Problem.notFound().asException()));
    }

    private static List<List<@Nullable Object>> rows(SeriesFamily family) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (SeriesFamily.Track track : family.tracks()) {
            for (SeriesFamily.Point p : track.points()) {
                List<@Nullable Object> row = new ArrayList<>(List.of(
                        track.feature(),
                        track.vendor(),
                        p.build(),
                        p.measuredAt(),
                        p.estimate().mean()));
                row.add(p.estimate().low());
                row.add(p.estimate().high());
                row.add(p.trials().trialCount());
                row.add(p.standing().standing().wire());
                row.add(p.standing().reason());
                row.add(p.segment().segment());
                row.add(p.run());
                beside(row, family, track, p);
                rows.add(row);
            }
        }
        return rows;
    }

    /** What begins at the point, and what was noted on its build. */
    private static void beside(
            List<@Nullable Object> row, SeriesFamily family, SeriesFamily.Track track, SeriesFamily.Point p) {
        ChangeView change = track.changes().stream()
                .filter(c -> c.build().slug().equals(p.build()) && c.run().equals(p.run()))
                .findFirst()
                .orElse(null);
        row.add(change == null ? null : change.level().after() - change.level().before());
        row.add(change == null ? null : change.state());
        row.add(change == null ? null : change.good().slug());
        row.add(family.notes().stream()
                .filter(note -> p.build().equals(note.build()))
                .map(Note::text)
                .collect(Collectors.joining(" / ")));
    }
}
