package dev.loomboard.machine;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import dev.loomboard.view.Format;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a machine's JDK provider does, as its agent said last.
 *
 * @param bytes downloaded
 * @param of so many; null: not known
 * @param at when the agent said so
 */
public record JdkProgress(
        Phase phase, String selector, long bytes, @Nullable Long of, Instant at) {

    /** An agent says it every ten seconds. */
    private static final Duration HEARD = Duration.ofMinutes(1);

    private static final int MEBI = 1024 * 1024;

    /** DONE is never stored. */
    public enum Phase implements WireName {
        ASKING,
        COMMAND,
        DOWNLOADING,
        VERIFYING,
        UNPACKING,
        DONE
    }

    /**
     * As the agent sends it.
     *
     * @param selector null only when it is done
     */
    record Report(
            Phase phase,
            @Nullable String selector,
            @Nullable Long bytes,
            @Nullable Long of) {

        private static final Pattern SELECTOR = Pattern.compile("[a-z0-9>][a-z0-9:=.+_-]{0,159}");

        Report {
            FieldChecks.present("phase", phase);
            if (selector != null || phase != Phase.DONE) {
                FieldChecks.matching("selector", selector, SELECTOR);
            }
            FieldChecks.notNegative("bytes", bytes);
            FieldChecks.notNegative("of", of);
        }
    }

    private boolean stale(Instant now) {
        return at.plus(HEARD).isBefore(now);
    }

    /** What follows a colon. */
    public String words(Instant now) {
        String does = doing() + " for " + selector + downloaded();
        return stale(now)
                ? "was " + does + " at " + Format.minute(at) + "; nothing was heard of it since."
                : does + ".";
    }

    private String doing() {
        return switch (phase) {
            case ASKING -> "asking the catalogue";
            case COMMAND -> "running the owner's command";
            case DOWNLOADING, VERIFYING, UNPACKING, DONE -> phase.name().toLowerCase(Locale.ROOT);
        };
    }

    private String downloaded() {
        if (phase != Phase.DOWNLOADING) {
            return "";
        }
        return ", " + bytes / MEBI + (of == null ? "" : " of " + of / MEBI) + " MiB";
    }
}
