package dev.loomboard.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.SeriesKey.Part;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SeriesKeyTest {

    private static final SeriesKey KEY = SeriesKey.of(Map.ofEntries(
            Map.entry(Part.MACHINE, "mac_1"),
            Map.entry(Part.SERVER, "spring-mvc"),
            Map.entry(Part.VARIANT, "virtual"),
            Map.entry(Part.SCENARIO, "io@1?;closed:connections=1,seconds=2"),
            Map.entry(Part.COLLECTOR, "G1"),
            Map.entry(Part.JVM_OPTIONS, "-Da=b|c%"),
            Map.entry(Part.LIMITS, "cpu=2"),
            Map.entry(Part.PROTOCOL, "quick/1"),
            Map.entry(Part.METRIC, "rss_mib"),
            Map.entry(Part.TRACK, "25-temurin-amd64")));

    @Test
    void key_has_its_parts_in_their_order_and_the_family_all_but_the_track() {
        String family =
                "s1|mac_1|spring-mvc|virtual|io@1?;closed:connections=1,seconds=2|G1|-Da=b%7Cc%25|cpu=2||quick/1|rss_mib";
        assertThat(KEY).isEqualTo(new SeriesKey(family + "|25-temurin-amd64", family));
    }

    @Test
    void parts_that_may_differ_are_left_empty() {
        assertThat(SeriesKey.without(KEY.series(), Set.of(Part.SERVER, Part.VARIANT, Part.LIMITS)))
                .isEqualTo(
                        "s1|mac_1|||io@1?;closed:connections=1,seconds=2|G1|-Da=b%7Cc%25|||quick/1|rss_mib|25-temurin-amd64");
    }
}
