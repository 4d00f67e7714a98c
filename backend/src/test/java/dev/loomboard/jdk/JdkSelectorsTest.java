package dev.loomboard.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Availability;
import dev.loomboard.kernel.WireName;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JdkSelectorsTest {

    private static final JdkBuild OLD_21 = build("debian-21.0.12_1-amd64", "21.0.12+1-Debian", "ga");
    private static final JdkBuild GA_25 = build("temurin-25.0.3_9-amd64", "25.0.3+9-LTS", "ga");
    private static final JdkBuild GA_25_OLDER = build("temurin-25.0.2_10-amd64", "25.0.2+10-LTS", "ga");
    private static final JdkBuild EA_28_9 = build("debian-28-ea_9-amd64", "28-ea+9-Debian", "ea");
    private static final JdkBuild EA_28_18 = build("debian-28-ea_18-amd64", "28-ea+18-Debian", "ea");
    private static final List<JdkBuild> ALL = List.of(GA_25_OLDER, EA_28_9, OLD_21, EA_28_18, GA_25);

    @Test
    void a_feature_is_its_newest_release() {
        assertThat(resolve("25").builds()).containsExactly(GA_25);
    }

    @Test
    void a_feature_without_a_release_is_its_newest_early_access_and_says_so() {
        var resolved = resolve("28");
        assertThat(resolved.builds()).containsExactly(EA_28_18);
        assertThat(resolved.notices())
                .containsExactly("selector \"28\": no GA build of 28 is installed, using debian-28-ea_18-amd64");
    }

    @Test
    void latest_is_the_highest_feature_of_its_kind() {
        assertThat(resolve("latest").builds()).containsExactly(EA_28_18);
        assertThat(resolve("latest-ea").builds()).containsExactly(EA_28_18);
        assertThat(resolve("latest-ga").builds()).containsExactly(GA_25);
    }

    @Test
    void all_is_newest_first_by_number_not_by_text() {
        assertThat(resolve("all").builds()).containsExactly(EA_28_18, EA_28_9, GA_25, GA_25_OLDER, OLD_21);
    }

    @Test
    void a_union_keeps_the_order_of_the_selectors_and_repeats_nothing() {
        assertThat(resolve("21", "latest-ga", "25", "all").builds())
                .containsExactly(OLD_21, GA_25, EA_28_18, EA_28_9, GA_25_OLDER);
    }

    @Test
    void a_limit_keeps_the_first_and_names_the_rest() {
        var resolved = JdkSelectors.resolve(ALL, List.of("25", "all"), 2);
        assertThat(resolved.builds()).containsExactly(GA_25, EA_28_18);
        assertThat(resolved.notices()).singleElement().asString().startsWith("jdkLimit 2 leaves out debian-28-ea_9");
    }

    @Test
    void what_matches_nothing_is_a_notice() {
        var resolved = resolve("26", "27-ea", "zulu-25.0.3_9-amd64");
        assertThat(resolved.builds()).isEmpty();
        assertThat(resolved.notices())
                .hasSize(3)
                .allMatch(n -> n.contains("matches no installed JDK; the nearest is "));
    }

    @Test
    void of_what_matches_nothing_a_sentence_names_the_nearest() {
        assertThat(JdkSelectors.unmatched(ALL, List.of("25", "28-ea+17"), "of the machine"))
                .containsExactly("The selector \"28-ea+17\" matches no JDK of the machine now."
                        + " The nearest is debian-28-ea_18-amd64.");
        assertThat(JdkSelectors.unmatched(List.of(), List.of("25"), "of the machine"))
                .containsExactly("The selector \"25\" matches no JDK of the machine now.");
    }

    @Test
    void a_name_matches_the_service_s_as_well_as_the_agent_s() {
        JdkBuild renamed = new JdkBuild(
                new JdkBuild.Internals(1, JdkVersion.parse("25+1").order()),
                "x-25_1-amd64-01234567",
                "x-25_1-amd64",
                "x",
                "25+1",
                25,
                Availability.GA,
                "amd64");
        assertThat(JdkSelectors.resolve(List.of(renamed), List.of("x-25_1-amd64-01234567"), 0)
                        .builds())
                .containsExactly(renamed);
    }

    @Test
    void a_release_comes_after_its_own_early_access() {
        assertThat(JdkVersion.parse("28+36").order())
                .isNotEqualTo(JdkVersion.parse("28-ea+36").order());
        JdkBuild release = build("openjdk-28_36-amd64", "28+36", "ga");
        assertThat(JdkSelectors.resolve(List.of(EA_28_18, release), List.of("latest"), 0)
                        .builds())
                .containsExactly(release);
    }

    private static JdkSelectors.Resolved resolve(String... selectors) {
        return JdkSelectors.resolve(ALL, List.of(selectors), 0);
    }

    private static JdkBuild build(String slug, String version, String availability) {
        JdkVersion parsed = JdkVersion.parse(version);
        return new JdkBuild(
                new JdkBuild.Internals(slug.hashCode(), parsed.order()),
                slug,
                slug,
                slug.substring(0, slug.indexOf('-')),
                version,
                Math.toIntExact(parsed.numbers().getFirst()),
                WireName.of(Availability.class, availability),
                "amd64");
    }
}
