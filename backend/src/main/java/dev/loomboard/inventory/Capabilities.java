package dev.loomboard.inventory;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a machine is, as far as a matrix may require it. Null is not known, which meets no requirement.
 *
 * @param labels its owners' and its agent's
 * @param cores physical, of all sockets
 * @param memoryMiB as the kernel has it, to the nearest 256
 * @param architecture such as amd64
 * @param apart whether load and server have cores, or hosts, of their own
 */
public record Capabilities(
        Set<String> labels,
        @Nullable Long cores,
        @Nullable Long memoryMiB,
        @Nullable String architecture,
        @Nullable Boolean apart) {

    private static final String SAME_HOST = "same-host";
    private static final long MIB = 1024L * 1024;

    public Capabilities {
        labels = Set.copyOf(labels);
    }

    /** @param facts of the host, as its agent reported them */
    static Capabilities of(Set<String> labels, Map<String, Object> facts) {
        Long bytes = number(facts, "memory", "bytes");
        return new Capabilities(
                labels,
                number(facts, "cpu", "cores"),
                bytes == null ? null : bytes / MIB,
                facts.get("arch") instanceof String arch ? arch : null,
                facts.get("placement") instanceof String placement ? !placement.equals(SAME_HOST) : null);
    }

    private static @Nullable Long number(Map<String, Object> facts, String group, String name) {
        return facts.get(group) instanceof Map<?, ?> inner && inner.get(name) instanceof Number number
                ? number.longValue()
                : null;
    }
}
