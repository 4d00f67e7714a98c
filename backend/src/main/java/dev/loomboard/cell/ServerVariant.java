package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * A server and the named way in which it runs.
 *
 * @param framework what the server is built on, as its machine names it; null: unknown
 */
public record ServerVariant(
        @JsonProperty("server") String name,
        @JsonProperty("variant") String variant,
        @JsonProperty("concurrencyModel") ConcurrencyModel model,
        @JsonIgnore @Nullable String framework) {

    /** Such as "spring-mvc/virtual". */
    public String label() {
        return name + "/" + variant;
    }
}
