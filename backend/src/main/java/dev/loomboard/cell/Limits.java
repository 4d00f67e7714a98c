package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a server may have of its machine; its JSON is the wire's Limits.
 *
 * @param cpu cores; null: all
 * @param memoryMiB null: all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Limits(@Nullable Double cpu, @Nullable Integer memoryMiB) {

    public static final Limits NONE = new Limits(null, null);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public static Limits of(String json) {
        return json.equals("{}")
                ? NONE
                : JSON.readValue(json, Limits.class); // of most cells; a leaderboard reads hundreds
    }

    /** The limits as a part of a series' key: the same limits give the same text for ever; empty: none. */
    public String canonical() {
        return joined(",", cpu == null ? "" : "cpu=" + cores(cpu), memoryMiB == null ? "" : "memoryMiB=" + memoryMiB);
    }

    /** Such as "1.5 cores, 512 MiB"; empty: none. */
    public String words() {
        return joined(
                ", ",
                cpu == null ? "" : cores(cpu) + (cpu == 1 ? " core" : " cores"),
                memoryMiB == null ? "" : memoryMiB + " MiB");
    }

    private static String cores(double cpu) {
        return BigDecimal.valueOf(cpu).stripTrailingZeros().toPlainString();
    }

    private static String joined(String by, String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(by));
    }
}
