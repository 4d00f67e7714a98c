package dev.loomboard.jdk;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.cell.Availability;
import java.util.Comparator;
import java.util.List;

/**
 * A build that a machine holds, as far as selectors and pages need it.
 *
 * @param key internal key of the build
 * @param slug its name in URLs
 * @param agentSlug what the machine's agent calls it: the name an assignment uses
 * @param order as {@link JdkVersion#order}
 */
public record JdkBuild(
        @JsonIgnore long key,
        String slug,
        String agentSlug,
        String vendor,
        String runtimeVersion,
        int feature,
        Availability availability,
        String architecture,
        @JsonIgnore List<Long> order) {

    /** Newest first; builds of one version are ordered by name, so that the order is always the same. */
    public static final Comparator<JdkBuild> NEWEST_FIRST =
            ((Comparator<JdkBuild>) (a, b) -> compare(b.order, a.order)).thenComparing(JdkBuild::agentSlug);

    public JdkBuild {
        order = List.copyOf(order);
    }

    private static int compare(List<Long> a, List<Long> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int c = Long.compare(a.get(i), b.get(i));
            if (c != 0) {
                return c;
            }
        }
        return Integer.compare(a.size(), b.size());
    }
}
