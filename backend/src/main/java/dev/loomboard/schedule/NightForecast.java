package dev.loomboard.schedule;

import dev.loomboard.forecast.RunForecast;
import dev.loomboard.jdk.JdkSelectors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a firing would run on the machine as it is now.
 *
 * @param machine its name
 * @param requires what the matrix requires of a machine, in words; null: nothing
 * @param skipped why the next firing makes no run, because nothing is new; null: it makes one
 * @param lacks what the machine lacks of that, as the end of a sentence; null: nothing
 */
public record NightForecast(
        String machine,
        @Nullable String requires,
        @Nullable String lacks,
        @Nullable String skipped,
        RunForecast run) {

    NightForecast skipped(String reason) {
        return new NightForecast(machine, requires, lacks, reason, run);
    }

    /** The selectors that match nothing, with the nearest builds, in sentences. */
    public List<String> warnings() {
        return run.notices().stream().filter(JdkSelectors::isUnmatched).toList();
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
