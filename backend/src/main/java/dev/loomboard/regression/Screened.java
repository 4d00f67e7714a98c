package dev.loomboard.regression;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.view.Format;
import org.jspecify.annotations.Nullable;

/**
 * Why the nightly screen asked for a rerun.
 *
 * @param change new build ÷ control, as a ratio to what it was before
 * @param chance share of nights without a change that rise as much
 * @param nights before that it was compared with
 * @param beforeAlone whether it rose most against the newest of them; else against all
 * @param control slug of the build that stayed; null: it may not be said, because the run is no more
 */
public record Screened(
        double change,
        double chance,
        int nights,
        boolean beforeAlone,
        @Nullable String control) {

    @JsonProperty
    public String sentence() {
        String with = beforeAlone ? "the build before" : "the " + Format.of(nights, "night") + " before";
        return "Screened: " + Format.change(change) + " relative to the control"
                + (control == null ? "" : " " + control) + ", compared with " + with + "; " + odds()
                + " would rise this much by chance.";
    }

    private String odds() {
        return "at most 1 of " + Format.count((long) StrictMath.floor(1 / StrictMath.max(chance, 1e-6)))
                + " nights without a change";
    }
}
