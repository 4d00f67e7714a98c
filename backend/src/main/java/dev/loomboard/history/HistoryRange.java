package dev.loomboard.history;

import dev.loomboard.kernel.WireName;
import dev.loomboard.web.Problem;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How much of a history is shown: of each track so many of its newest points. */
public enum HistoryRange implements WireName {
    ALL(Integer.MAX_VALUE, "All"),
    NEWEST_90(90, "Newest 90"),
    NEWEST_30(30, "Newest 30");

    /** The parameter of the page and of its twins. */
    static final String PARAMETER = "range";

    private final int most;
    private final String words;

    HistoryRange(int most, String words) {
        this.most = most;
        this.words = words;
    }

    /** @param asked null: everything */
    static HistoryRange of(@Nullable String asked) {
        return asked == null
                ? ALL
                : WireName.find(HistoryRange.class, asked)
                        .orElseThrow(() -> Problem.invalid(
                                        PARAMETER,
                                        "must be one of "
                                                + Arrays.stream(values())
                                                        .map(WireName::wire)
                                                        .collect(Collectors.joining(", ")))
                                .asException());
    }

    int most() {
        return most;
    }

    public String words() {
        return words;
    }

    public boolean all() {
        return this == ALL;
    }
}
