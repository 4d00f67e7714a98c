package dev.loomboard.schedule;

import java.util.List;

/**
 * A form without problems.
 *
 * @param matrix external id
 * @param machine external id
 * @param onlyNew as {@link Schedule.Builds#onlyNew}
 */
public record ScheduleDraft(
        String title,
        String matrix,
        String machine,
        String cron,
        String zone,
        List<String> jdks,
        boolean onlyNew,
        Schedule.Rules rules) {
    public ScheduleDraft {
        jdks = List.copyOf(jdks);
    }
}
