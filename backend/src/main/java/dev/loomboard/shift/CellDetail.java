package dev.loomboard.shift;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.kernel.Internal;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.scenario.Load.Profile;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cell as it is compared with another in full detail; its JSON is flat, with the limits in words.
 *
 * @param machine its name
 * @param pilot scored trials whose spread decided how many it has; null: nothing did
 * @param retracted null: its versions stand
 */
public record CellDetail(
        Key key,
        String id,
        String run,
        @JsonUnwrapped ServerVariant server,
        @JsonUnwrapped Work work,

        @JsonUnwrapped @JsonIgnoreProperties({"limits", "protocol"})
        CellSettings settings,

        Jdk jdk,
        String machine,
        @JsonUnwrapped Evidence evidence,
        @Nullable Integer pilot,
        @Nullable Retracted retracted) {

    /** Of its row. */
    record Key(long value) implements Internal {}

    /**
     * What it was asked.
     *
     * @param profile of its load
     */
    public record Work(String scenarioKey, double declaredDelayMs, Profile profile) {}

    public String scenarioKey() {
        return work.scenarioKey();
    }

    public double declaredDelayMs() {
        return work.declaredDelayMs();
    }

    /**
     * What its trials left besides the numbers.
     *
     * @param flags of the JVM of a scored trial; empty: none is on record
     * @param diagnostic external id of a diagnostic trial; null: there is none
     * @param counts what that counted, by metric
     */
    public record Evidence(
            Map<String, String> flags, @Nullable String diagnostic, Map<String, Double> counts) {}

    @JsonProperty
    public String limits() {
        return settings.limits().words();
    }

    /** Whether all its hits are of one rate, so that they have one distribution. */
    boolean ofOneRate() {
        return switch (work.profile()) {
            case CONSTANT, POISSON, CLOSED -> true;
            case STEPS, RAMP, SEARCH, BATCH -> false;
        };
    }

    long declaredDelayNanos() {
        return StrictMath.round(declaredDelayMs() * 1e6);
    }

    /** ms: what is left of the declared delay in its histograms. Those of an open load are of the excess. */
    double toSubtract() {
        return closed() ? declaredDelayMs() : 0;
    }

    boolean closed() {
        return work.profile() == Profile.CLOSED;
    }
}
