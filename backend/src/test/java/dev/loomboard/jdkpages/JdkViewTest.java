package dev.loomboard.jdkpages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Availability;
import dev.loomboard.cell.Jdk;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JdkViewTest {

    private static final JdkView EA_19 = build("28-ea+19", "debian", 28, Availability.EA, 0);
    private static final JdkView EA_18 = build("28-ea+18", "debian", 28, Availability.EA, 4);
    private static final JdkView EA_17 = build("28-ea+17", "debian", 28, Availability.EA, 4);
    private static final JdkView GA_27 = build("27+35", "debian", 27, Availability.GA, 4);
    private static final JdkView UNMEASURED = build("26.0.1+8", "debian", 26, Availability.GA, 0);
    private static final JdkView OTHERS = build("28-ea+18", "temurin", 28, Availability.EA, 4);
    private static final JdkView GA_26 = build("26+36", "debian", 26, Availability.GA, 4);
    private static final List<JdkView> ALL = List.of(EA_19, OTHERS, EA_18, EA_17, GA_27, UNMEASURED, GA_26);

    @Test
    void build_before_is_the_last_of_its_vendor_and_release_that_was_measured() {
        assertThat(JdkView.before(EA_19, ALL)).isEqualTo(EA_18);
        assertThat(JdkView.before(EA_18, ALL)).isEqualTo(EA_17);
        assertThat(JdkView.before(EA_17, ALL)).isNull();
        assertThat(JdkView.before(OTHERS, ALL)).isNull();
    }

    @Test
    void last_release_is_of_any_feature_of_its_vendor() {
        assertThat(JdkView.releaseBefore(EA_19, ALL)).isEqualTo(GA_27);
        assertThat(JdkView.releaseBefore(GA_27, ALL))
                .as("one that was not measured is passed over")
                .isEqualTo(GA_26);
        assertThat(JdkView.releaseBefore(GA_26, ALL)).isNull();
    }

    @Test
    void where_nothing_was_measured_before_it_a_build_is_set_against_one_that_a_machine_has() {
        JdkView held = held(build("28-ea+18", "oracle", 28, Availability.EA, 0));
        JdkView unmeasured = build("28-ea+19", "oracle", 28, Availability.EA, 0);
        JdkView measured = build("28-ea+20", "oracle", 28, Availability.EA, 1);
        List<JdkView> all = List.of(measured, unmeasured, held, EA_17);
        assertThat(JdkView.before(unmeasured, all)).isEqualTo(held);
        assertThat(JdkView.before(measured, all)).isEqualTo(held);
        JdkView older = build("28-ea+17", "oracle", 28, Availability.EA, 1);
        List<JdkView> more = List.of(measured, unmeasured, held, older);
        assertThat(JdkView.before(measured, more)).as("results come first").isEqualTo(older);
        assertThat(JdkView.before(unmeasured, more)).isEqualTo(held);
    }

    private static JdkView held(JdkView build) {
        return new JdkView(
                build.jdk(),
                build.lineage(),
                build.firstSeenAt(),
                List.of(new JdkView.Machine("main", "m", "M", true)),
                build.conflicts(),
                build.results());
    }

    private static JdkView build(String version, String vendor, int feature, Availability availability, int results) {
        return new JdkView(
                new Jdk(vendor + "-" + version, vendor, version, feature, availability, "amd64", "l"),
                Map.of(),
                Instant.EPOCH,
                List.of(),
                List.of(),
                results);
    }
}
