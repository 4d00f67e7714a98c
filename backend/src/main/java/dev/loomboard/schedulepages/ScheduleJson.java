package dev.loomboard.schedulepages;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.alarm.MissingResult;
import dev.loomboard.cell.Visibility;
import dev.loomboard.cron.FireTime;
import dev.loomboard.cron.Preview;
import dev.loomboard.cron.Zones;
import dev.loomboard.schedule.Choice;
import dev.loomboard.schedule.ControlChoice;
import dev.loomboard.schedule.ControlView;
import dev.loomboard.schedule.NightForecast;
import dev.loomboard.schedule.PastFiring;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON twins of the pages. */
final class ScheduleJson {

    private ScheduleJson() {}

    record All(String schema, List<Listed> schedules) implements PageTwin {}

    record Listed(
            About about,
            @Nullable Instant next,
            @Nullable PastFiring last,
            @Nullable MissingResult missing) {}

    record One(
            String schema,
            About about,
            Control control,
            @Nullable NightForecast night,
            List<Instant> next,
            List<String> notes,
            List<PastFiring> past,
            @Nullable MissingResult missing)
            implements PageTwin {}

    /**
     * @param trials that it adds to a firing
     * @param seconds that they take at most, roughly; null, as these: there is none
     */
    record Control(
            boolean on,
            @Nullable String build,
            @Nullable Instant since,
            @Nullable String note,
            @Nullable Integer trials,
            @Nullable Double seconds,
            String sentence) {

        static Control of(ControlView view) {
            Schedule.Control control = view.control();
            ControlChoice found = view.choice();
            ControlChoice choice = found == null || found.build() == null ? null : found;
            return new Control(
                    control.on(),
                    control.build(),
                    control.since(),
                    control.note(),
                    choice == null ? null : choice.trials(),
                    choice == null ? null : choice.seconds(),
                    view.sentence());
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
            @JsonUnwrapped When when,
            List<String> jdks,
            boolean onlyNew,
            @JsonUnwrapped Schedule.Rules rules) {}

    /** @param words what the cron means */
    record When(String cron, String zone, String words) {}

    record Named(String id, String workspace, String title) {}

    record Options(String schema, List<Named> matrices, List<Named> machines, List<String> zones) implements PageTwin {}

    record Previewed(
            String schema,
            String words,
            String cron,
            String zone,
            @Nullable String problem,
            List<Instant> next,
            List<String> notes,
            @Nullable String control,
            @Nullable NightForecast night)
            implements PageTwin {}

    static All of(List<ScheduleView.Line> lines) {
        return new All(
                "loomboard.schedules/1",
                lines.stream()
                        .map(l -> {
                            FireTime next = l.next();
                            return new Listed(
                                    about(l.schedule()), next == null ? null : next.at(), l.last(), l.missing());
                        })
                        .toList());
    }

    static One of(ScheduleView view) {
        List<FireTime> next = view.schedule().active() ? view.preview().next() : List.of();
        return new One(
                "loomboard.schedule/1",
                about(view.schedule()),
                Control.of(view.control()),
                view.night(),
                next.stream().map(FireTime::at).toList(),
                view.preview().notes(),
                view.past(),
                view.missing());
    }

    static Options of(FormOptions options) {
        return new Options(
                "loomboard.schedule-options/1", named(options.matrices()), named(options.machines()), Zones.OFFERED);
    }

    static Previewed of(PreviewPage page) {
        Preview p = page.preview();
        return new Previewed(
                "loomboard.schedule-preview/1",
                p.words(),
                p.cron(),
                p.zone(),
                p.problem(),
                p.next().stream().map(FireTime::at).toList(),
                p.notes(),
                p.control(),
                page.night());
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
                new When(s.times().cron(), s.times().zone(), s.times().words()),
                s.jdks(),
                s.builds().onlyNew(),
                s.rules());
    }
}
