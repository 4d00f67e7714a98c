package dev.loomboard.schedule;

import dev.loomboard.forecast.RunForecast;
import dev.loomboard.jdk.JdkSelectors;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a firing would run on the machine as it is now.
 *
 * @param machine its name
 * @param requires what the matrix requires of a machine, in words; null: nothing
 * @param skipped why the next firing makes no run, because nothing is new; null: it makes one
 * @param backfill what the next firing measures before that, because it was missed; null: nothing
 * @param mostHours after which the run is stopped; null: it goes on until it is done
 * @param lacks what the machine lacks of that, as the end of a sentence; null: nothing
 */
public record NightForecast(
        String machine,
        @Nullable String requires,
        @Nullable String lacks,
        @Nullable String skipped,
        @Nullable String backfill,
        @Nullable Integer mostHours,
        RunForecast run) {

    NightForecast skipped(String reason) {
        return new NightForecast(machine, requires, lacks, reason, null, mostHours, run);
    }

    NightForecast before(Backfill missed) {
        return new NightForecast(machine, requires, lacks, null, missed.words(), mostHours, run);
    }

    /** The selectors that match nothing, with the nearest builds, and that the run is stopped before its end, in sentences. */
    public List<String> warnings() {
        return Stream.concat(run.notices().stream().filter(JdkSelectors::isUnmatched), tooLong().stream())
                .toList();
    }

    private Optional<String> tooLong() {
        return mostHours == null
                        || run.likelySeconds() <= Duration.ofHours(mostHours).toSeconds()
                ? Optional.empty()
                : Optional.of("The run takes " + run.length() + ". It is stopped after " + mostHours
                        + " h, so it does not measure everything: a scenario's cells take turns, so its builds stay"
                        + " comparable, but the last scenarios may have no result.");
    }

    /** What else is left out and why. */
    public List<String> notes() {
        return run.notices().stream()
                .filter(notice -> !JdkSelectors.isUnmatched(notice))
                .toList();
    }

    /** Which machine takes it, in a sentence. */
    public String place() {
        if (lacks != null) {
            return machine + " " + lacks + ". So no run would start.";
        }
        return machine + " takes it"
                + (requires == null
                        ? "; the matrix requires nothing of its machine."
                        : ", which has " + requires + ".");
    }
}
