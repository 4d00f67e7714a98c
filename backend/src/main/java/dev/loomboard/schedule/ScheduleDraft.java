package dev.loomboard.schedule;

import java.util.List;

/**
 * A form without problems.
 *
 * @param matrix external id
 * @param machine external id
 */
public record ScheduleDraft(String title, String matrix, String machine, String cron, String zone, List<String> jdks) {
    public ScheduleDraft {
        jdks = List.copyOf(jdks);
    }
}
