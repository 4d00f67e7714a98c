package dev.loomboard.schedule;

import dev.loomboard.web.Urls;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON twins of the pages. */
final class ScheduleJson {

    private ScheduleJson() {}

    record All(String schema, List<Listed> schedules) {}

    record Listed(
            About about, @Nullable Instant next, @Nullable Past last) {}

    record One(String schema, About about, List<Instant> next, List<String> notes, List<Past> past) {}

    /** @param url path of the page */
    record About(
            String id,
            String url,
            String workspace,
            String slug,
            String title,
            String matrix,
            String machine,
            String visibility,
            String state,
            String cron,
            String zone,
            String words,
            List<String> jdks) {}

    /** @param run external id of the run; null: the firing was skipped, for the reason given */
    record Past(
            Instant at,
            boolean byHand,
            @Nullable String run,
            @Nullable String runState,
            @Nullable String reason) {}

    record Named(String id, String workspace, String title) {}

    record Options(String schema, List<Named> matrices, List<Named> machines, List<String> zones) {}

    record Previewed(
            String schema,
            String words,
            String cron,
            String zone,
            @Nullable String problem,
            List<Instant> next,
            List<String> notes) {}

    static All of(List<ScheduleView.Line> lines) {
        return new All(
                "loomboard.schedules/1",
                lines.stream()
                        .map(l -> {
                            FireTime next = l.next();
                            PastFiring last = l.last();
                            return new Listed(
                                    about(l.schedule()),
                                    next == null ? null : next.at(),
                                    last == null ? null : past(last));
                        })
                        .toList());
    }

    static One of(ScheduleView view) {
        List<FireTime> next = view.schedule().active() ? view.preview().next() : List.of();
        return new One(
                "loomboard.schedule/1",
                about(view.schedule()),
                next.stream().map(FireTime::at).toList(),
                view.preview().notes(),
                view.past().stream().map(ScheduleJson::past).toList());
    }

    static Options of(FormOptions options) {
        return new Options(
                "loomboard.schedule-options/1", named(options.matrices()), named(options.machines()), Zones.OFFERED);
    }

    static Previewed of(Preview p) {
        return new Previewed(
                "loomboard.schedule-preview/1",
                p.words(),
                p.cron(),
                p.zone(),
                p.problem(),
                p.next().stream().map(FireTime::at).toList(),
                p.notes());
    }

    private static List<Named> named(List<Choice> choices) {
        return choices.stream()
                .map(c -> new Named(c.id(), c.workspace(), c.title()))
                .toList();
    }

    private static About about(Schedule s) {
        return new About(
                s.id(),
                Urls.schedule(s.workspace(), s.slug()),
                s.workspace(),
                s.slug(),
                s.title(),
                s.matrix().slug(),
                s.machine().slug(),
                s.isPublic() ? "public" : "private",
                s.state().wire(),
                s.cron(),
                s.zone(),
                s.words(),
                s.jdks());
    }

    private static Past past(PastFiring p) {
        return new Past(p.at(), p.byHand(), p.run(), p.runState(), p.reason());
    }
}
