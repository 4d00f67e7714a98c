package dev.loomboard.schedule;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Visibility;
import dev.loomboard.web.Urls;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON twins of the pages. */
final class ScheduleJson {

    private ScheduleJson() {}

    record All(String schema, List<Listed> schedules) {}

    record Listed(
            About about, @Nullable Instant next, @Nullable PastFiring last) {}

    record One(
            String schema,
            About about,
            Control control,
            List<Instant> next,
            List<String> notes,
            List<PastFiring> past) {}

    /**
     * @param trials that it adds to a firing; @param seconds that they take at most, roughly; null, as these: there is none
     */
    record Control(
            @JsonUnwrapped Schedule.Control control,
            @Nullable Integer trials,
            @Nullable Double seconds,
            String sentence) {

        static Control of(ControlView view) {
            ControlChoice choice = view.choice();
            return choice == null || choice.build() == null
                    ? new Control(view.control(), null, null, view.sentence())
                    : new Control(view.control(), choice.trials(), choice.seconds(), view.sentence());
        }
    }

    /** @param url path of the page */
    record About(
            String id,
            String url,
            String workspace,
            String slug,
            String title,
            String matrix,
            String machine,
            Visibility visibility,
            Schedule.State state,
            @JsonUnwrapped Schedule.Times times,
            List<String> jdks) {}

    record Named(String id, String workspace, String title) {}

    record Options(String schema, List<Named> matrices, List<Named> machines, List<String> zones) {}

    record Previewed(
            String schema,
            String words,
            String cron,
            String zone,
            @Nullable String problem,
            List<Instant> next,
            List<String> notes,
            @Nullable String control) {}

    static All of(List<ScheduleView.Line> lines) {
        return new All(
                "loomboard.schedules/1",
                lines.stream()
                        .map(l -> {
                            FireTime next = l.next();
                            return new Listed(about(l.schedule()), next == null ? null : next.at(), l.last());
                        })
                        .toList());
    }

    static One of(ScheduleView view) {
        List<FireTime> next = view.schedule().active() ? view.preview().next() : List.of();
        return new One(
                "loomboard.schedule/1",
                about(view.schedule()),
                Control.of(view.control()),
                next.stream().map(FireTime::at).toList(),
                view.preview().notes(),
                view.past());
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
                p.notes(),
                p.control());
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
                s.visibility(),
                s.state(),
                s.times(),
                s.jdks());
    }
}
