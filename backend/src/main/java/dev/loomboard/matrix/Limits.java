package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a server may have of its machine; its JSON is the wire's Limits.
 *
 * @param cpu cores; null: all
 * @param memoryMiB null: all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Limits(@Nullable Double cpu, @Nullable Integer memoryMiB) {

    public static final Limits NONE = new Limits(null, null);

    static final double LEAST_CPU = 0.05;
    static final int MOST_CPU = 1024;
    static final int LEAST_MEMORY = 64;
    static final int MOST_MEMORY = 1 << 20;
}
