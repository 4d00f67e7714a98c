package dev.loomboard.series;

import dev.loomboard.web.Caller;
import dev.loomboard.web.ExternalId;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Html;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Shell;
import dev.loomboard.web.Twins;
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
import reactor.core.publisher.Mono;

/** Histories: four queries, whatever their length. */
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
            "run",
            "change",
            "change_status",
            "change_good_build",
            "notes");

    private final SeriesStore store;
    private final Html html;
    private final Twins twins;
    private final Clock clock;

    HistoryPages(SeriesStore store, Html html, Twins twins, Clock clock) {
        this.store = store;
        this.html = html;
        this.twins = twins;
        this.clock = clock;
    }

    @GetMapping("/series/{id}")
    Mono<ResponseEntity<byte[]>> history(Shell shell, Caller caller, @PathVariable String id) {
        return find(caller, id).map(family -> html.show(shell, HistoryPage.of(family, form(caller, family))));
    }

    @GetMapping("/series/{id}.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @PathVariable String id) {
        return find(caller, id).map(family -> twins.json("loomboard.series/1", HistoryPage.of(family, null)));
    }

    @GetMapping("/series/{id}.csv")
    Mono<ResponseEntity<byte[]>> csv(Caller caller, @PathVariable String id) {
        return find(caller, id).map(family -> twins.csv(CSV_HEAD, rows(family)));
    }

    /** Notes are written by owners. */
    private @Nullable FormState form(Caller caller, SeriesFamily family) {
        return caller instanceof Caller.Person && caller.owns(family.workspaceKey())
                ? NewNote.blank(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC))
                : null;
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
                beside(row, family, track, p);
                rows.add(row);
            }
        }
        return rows;
    }

    /** What begins at the point, and what was noted on its build. */
    private static void beside(
            List<@Nullable Object> row, SeriesFamily family, SeriesFamily.Track track, SeriesFamily.Point p) {
        SeenChange change = track.changes().stream()
                .filter(c -> c.build().slug().equals(p.build()) && c.run().equals(p.run()))
                .findFirst()
                .orElse(null);
        row.add(change == null ? null : change.after() - change.before());
        row.add(change == null ? null : change.state());
        row.add(change == null ? null : change.good().slug());
        row.add(family.notes().stream()
                .filter(note -> p.build().equals(note.build()))
                .map(Note::text)
                .collect(Collectors.joining(" / ")));
    }
}
