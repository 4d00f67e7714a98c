package dev.loomboard.series;

import dev.loomboard.web.Caller;
import dev.loomboard.web.ExternalId;
import dev.loomboard.web.Html;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Shell;
import dev.loomboard.web.Twins;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import reactor.core.publisher.Mono;

/** Histories: two queries, whatever their length. */
@Controller
class HistoryPages {

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
            "run");

    private final SeriesStore store;
    private final Html html;
    private final Twins twins;

    HistoryPages(SeriesStore store, Html html, Twins twins) {
        this.store = store;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/series/{id}")
    Mono<ResponseEntity<byte[]>> history(Shell shell, Caller caller, @PathVariable String id) {
        return find(caller, id).map(family -> html.show(shell, HistoryPage.of(family)));
    }

    @GetMapping("/series/{id}.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @PathVariable String id) {
        return find(caller, id).map(family -> twins.json("loomboard.series/1", HistoryPage.of(family)));
    }

    @GetMapping("/series/{id}.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @PathVariable String id) {
        return find(caller, id).map(family -> twins.csv(CSV_HEAD, rows(family)));
    }

    private Mono<SeriesFamily> find(Caller caller, String id) {
        return (ExternalId.isOf("ser", id) ? store.family(id, caller) : Mono.<SeriesFamily>empty())
                .switchIfEmpty(Mono.error(Problem.notFound().asException()));
    }

    private static List<List<@Nullable Object>> rows(SeriesFamily family) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (SeriesFamily.Track track : family.tracks()) {
            for (SeriesFamily.Point p : track.points()) {
                List<@Nullable Object> row =
                        new ArrayList<>(List.of(track.feature(), track.vendor(), p.build(), p.measuredAt(), p.mean()));
                row.add(p.low());
                row.add(p.high());
                row.add(p.trialValues().size());
                row.add(p.standing());
                row.add(p.reason());
                row.add(p.segment());
                row.add(p.run());
                rows.add(row);
            }
        }
        return rows;
    }
}
