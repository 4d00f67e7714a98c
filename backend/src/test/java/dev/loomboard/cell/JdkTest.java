package dev.loomboard.cell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;

/** The names that answers have for the parts of a build. */
class JdkTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Jdk BUILD =
            new Jdk("temurin-28-ea_18", "temurin", "28-ea+18-Debian", 28, Availability.EA, "amd64", "hash");

    record Named(
            @JsonSerialize(converter = Jdk.ToWireNames.class)
            Jdk jdk) {}

    record Short(
            @JsonSerialize(converter = Jdk.ToWireNames.class) @JsonIncludeProperties({"slug", "availability"})
            Jdk jdk) {}

    record Flat(
            @JsonUnwrapped @JsonIgnoreProperties({"version", "earlyAccess"})
            Jdk jdk) {}

    @Test
    void build_is_written_with_version_and_early_access_and_read_with_its_availability() {
        assertThat(JSON.writeValueAsString(BUILD)).isEqualToIgnoringWhitespace("""
                        {"slug":"temurin-28-ea_18","vendor":"temurin","version":"28-ea+18-Debian","feature":28,
                         "architecture":"amd64","lineageHash":"hash","earlyAccess":true}""");
        assertThat(JSON.readValue("""
                        {"slug":"temurin-28-ea_18","vendor":"temurin","version":"28-ea+18-Debian","feature":28,
                         "architecture":"amd64","lineageHash":"hash","availability":"ea"}""", Jdk.class)).isEqualTo(BUILD);
    }

    @Test
    void some_answers_name_its_parts_as_the_wire_does() {
        assertThat(names(JSON.valueToTree(new Named(BUILD)).path("jdk")))
                .containsExactlyInAnyOrder(
                        "slug", "vendor", "runtimeVersion", "feature", "availability", "architecture", "lineageHash");
        assertThat(names(JSON.valueToTree(new Short(BUILD)).path("jdk")))
                .containsExactlyInAnyOrder("slug", "availability");
        assertThat(names(JSON.valueToTree(new Flat(BUILD))))
                .containsExactlyInAnyOrder("slug", "vendor", "feature", "architecture", "lineageHash");
    }

    @Test
    void short_version_leaves_out_what_every_row_repeats() {
        assertThat(BUILD.shortVersion()).isEqualTo("28-ea+18");
        assertThat(Jdk.shortVersion("25.0.3+9-LTS")).isEqualTo("25.0.3+9");
    }

    private static Iterable<String> names(JsonNode of) {
        return of.propertyNames();
    }
}
