package dev.loomboard.runpages;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.machine.MachineView;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.view.Format;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs, newest first.
 *
 * @param machines that runs can be asked for of
 * @param months that have runs, newest first
 * @param older where the next page is; null: this is the last
 */
public record RunListPage(
        RunFilter filter,
        List<MachineView.Summary> machines,
        List<Row> runs,
        List<YearMonth> months,
        @Nullable String older,
        @Nullable String newer)
        implements Page {

    public record Row(
            String id,
            String workspace,
            String title,
            RunState state,
            Visibility visibility,
            String machineSlug,
            String machineName,
            Instant createdAt,
            @Nullable Instant finishedAt,
            boolean imported,
            @JsonUnwrapped TrialCounts counts,
            List<String> builds,
            Changes changes) {

        /** Null: it is not over. */
        public @Nullable Duration took() {
            return finishedAt == null ? null : Duration.between(createdAt, finishedAt);
        }
    }

    /**
     * What its verdicts found.
     *
     * @param tests with a verdict of any kind
     */
    public record Changes(int tests, int slower, int faster, int failsMore, int failsLess) {

        /** Such as "2 slower, 1 faster"; empty: no test has a verdict. */
        public String words() {
            if (tests == 0) {
                return "";
            }
            String changed = Stream.of(
                            part(slower, "slower"),
                            part(faster, "faster"),
                            part(failsMore, Verdict.FAILS_MORE.word()),
                            part(failsLess, Verdict.FAILS_LESS.word()))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(", "));
            return changed.isEmpty() ? "no change in " + Format.of(tests, "test") : changed;
        }

        private static String part(int count, String what) {
            return count == 0 ? "" : count + " " + what;
        }
    }

    public record Twin(List<Row> runs, @Nullable String older) implements PageTwin {}

    Twin twin() {
        return new Twin(runs, older);
    }

    @Override
    public String template() {
        return "run/runs.jte";
    }
}
