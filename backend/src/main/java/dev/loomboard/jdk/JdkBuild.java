package dev.loomboard.jdk;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.Internal;
import java.util.Comparator;
import java.util.List;

/**
 * A build that a machine holds, as far as selectors and pages need it.
 *
 * @param slug its name in URLs
 * @param agentSlug what the machine's agent calls it: the name an assignment uses
 */
public record JdkBuild(
        Internals internals,
        String slug,
        String agentSlug,
        String vendor,
        String runtimeVersion,
        int feature,
        Availability availability,
        String architecture) {

    /** No JDK, of servers without a JVM: row 0 of jdk_build. */
    public static final JdkBuild NONE = new JdkBuild(
            new Internals(0, List.of(0L)), "no-jdk", "no-jdk", "", "No JDK", Jdk.NO_FEATURE, Availability.GA, "");

    /** Newest first; builds of one version are ordered by their packager's suffix and by name, so that the order is always the same. */
    public static final Comparator<JdkBuild> NEWEST_FIRST = ((Comparator<JdkBuild>)
                    (a, b) -> compare(b.internals.order, a.internals.order))
            .thenComparing(b -> JdkVersion.packager(b.runtimeVersion), Comparator.reverseOrder())
            .thenComparing(JdkBuild::agentSlug);

    /**
     * What JSON leaves out.
     *
     * @param key internal key
     * @param order as {@link JdkVersion#order}
     */
    public record Internals(long key, List<Long> order) implements Internal {
        public Internals {
            order = List.copyOf(order);
        }
    }

    public long key() {
        return internals.key();
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
