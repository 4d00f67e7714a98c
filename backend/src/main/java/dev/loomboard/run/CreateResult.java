package dev.loomboard.run;

import java.util.List;

/** What came of asking for a run. */
public sealed interface CreateResult {

    /**
     * @param key internal key
     * @param id external id
     * @param notices what was left out and why
     */
    record Created(long key, String id, List<String> notices) implements CreateResult {
        public Created {
            notices = List.copyOf(notices);
        }
    }

    /**
     * @param reason a sentence that says what is missing
     * @param later true: the queue has no room now, and the same may be asked for again
     */
    record Refused(String reason, boolean later) implements CreateResult {
        Refused(String reason) {
            this(reason, false);
        }
    }
}
