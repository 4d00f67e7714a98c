package dev.loomboard.runpages;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.view.Query;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which runs are listed; null: any.
 *
 * @param machine external id
 */
public record RunFilter(@Nullable RunState state, @Nullable String machine) {

    private static final String STATE = "state";
    private static final String MACHINE = "machine";

    /** Of a page's query, where a form leaves empty what is not chosen. */
    static RunFilter of(Map<String, String> query) {
        String state = query.getOrDefault(STATE, "");
        String machine = query.getOrDefault(MACHINE, "");
        return new RunFilter(state.isEmpty() ? null : state(state), machine.isEmpty() ? null : machine);
    }

    private static RunState state(String text) {
        return WireName.find(RunState.class, text)
                .orElseThrow(() -> Problem.invalid(
                                STATE,
                                "must be one of "
                                        + Arrays.stream(RunState.values())
                                                .map(WireName::wire)
                                                .collect(Collectors.joining(", ")))
                        .asException());
    }

    public boolean set() {
        return state != null || machine != null;
    }

    /** The address of the newest such runs. */
    public Query query() {
        Map<String, String> values = new HashMap<>();
        if (state != null) {
            values.put(STATE, state.wire());
        }
        if (machine != null) {
            values.put(MACHINE, machine);
        }
        return new Query(Urls.runs(), values);
    }
}
