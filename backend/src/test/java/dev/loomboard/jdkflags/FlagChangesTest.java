package dev.loomboard.jdkflags;

import static dev.loomboard.jdkflags.JdkFlag.Kind.DIAGNOSTIC;
import static dev.loomboard.jdkflags.JdkFlag.Kind.EXPERIMENTAL;
import static dev.loomboard.jdkflags.JdkFlag.Kind.PRODUCT;
import static dev.loomboard.jdkflags.JdkFlag.Origin.DEFAULT;
import static dev.loomboard.jdkflags.JdkFlag.Origin.ERGONOMIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.loomboard.kernel.FieldChecks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlagChangesTest {

    private static final FlagChanges.Machine MACHINE = new FlagChanges.Machine("main", "m", "M");

    private static final Map<String, JdkFlag> OLD = Map.of(
            "Same", new JdkFlag("1", PRODUCT, DEFAULT),
            "Lines", new JdkFlag("8", DIAGNOSTIC, DEFAULT),
            "Zeal", new JdkFlag("false", PRODUCT, DEFAULT),
            "Headers", new JdkFlag("false", EXPERIMENTAL, DEFAULT),
            "Heap", new JdkFlag("100", PRODUCT, ERGONOMIC),
            "Gone", new JdkFlag("", PRODUCT, DEFAULT));

    private static final Map<String, JdkFlag> NEW = Map.of(
            "Same", new JdkFlag("1", PRODUCT, ERGONOMIC),
            "Lines", new JdkFlag("9", DIAGNOSTIC, DEFAULT),
            "Zeal", new JdkFlag("true", PRODUCT, DEFAULT),
            "Headers", new JdkFlag("false", PRODUCT, DEFAULT),
            "Heap", new JdkFlag("200", PRODUCT, ERGONOMIC),
            "New", new JdkFlag("x", DIAGNOSTIC, DEFAULT));

    @Test
    void changed_are_values_and_kinds_those_that_anybody_may_set_first() {
        FlagChanges changes = FlagChanges.between(MACHINE, OLD, NEW, true);
        assertThat(changes.changed())
                .extracting(FlagChanges.Change::name, FlagChanges.Change::valueBefore, FlagChanges.Change::valueAfter)
                .containsExactly(
                        tuple("Headers", "false", "false"),
                        tuple("Heap", "100", "200"),
                        tuple("Zeal", "false", "true"),
                        tuple("Lines", "8", "9"));
        assertThat(changes.changed().getFirst().kinds()).isEqualTo("experimental → product");
        assertThat(changes.added()).extracting(FlagChanges.Change::name).containsExactly("New");
        assertThat(changes.removed())
                .extracting(FlagChanges.Change::name, FlagChanges.Change::valueBefore)
                .containsExactly(tuple("Gone", "(empty)"));
        assertThat(changes.notCompared()).isZero();
        assertThat(FlagChanges.between(MACHINE, OLD, OLD, true).none()).isTrue();
    }

    @Test
    void what_the_jvm_chose_is_not_compared_between_hosts() {
        FlagChanges changes = FlagChanges.between(MACHINE, OLD, NEW, false);
        assertThat(changes.changed()).extracting(FlagChanges.Change::name).containsExactly("Headers", "Zeal", "Lines");
        assertThat(changes.notCompared()).isEqualTo(1);
    }

    @Test
    void what_a_matrix_sets_anyway_is_not_set_to_what_it_was() {
        Map<String, JdkFlag> before = new HashMap<>();
        Map<String, JdkFlag> after = new HashMap<>();
        for (String name : List.of("MaxHeapSize", "MaxRAMPercentage", "UseG1GC", "UsePerfData", "MaxHeapFreeRatio")) {
            before.put(name, new JdkFlag("1", PRODUCT, DEFAULT));
            after.put(name, new JdkFlag("2", PRODUCT, DEFAULT));
        }
        FlagChanges changes = FlagChanges.between(MACHINE, before, after, true);
        assertThat(changes.changed()).hasSize(5);
        assertThat(changes.revertible(true))
                .extracting(FlagChanges.Change::name)
                .containsExactly("MaxHeapFreeRatio");
        assertThat(changes.revertible(true).getFirst().optionsAsBefore()).containsExactly("-XX:MaxHeapFreeRatio=1");
    }

    @Test
    void where_the_jvm_chooses_collector_and_heap_they_can_be_as_before() {
        FlagChanges changes = FlagChanges.between(
                MACHINE,
                Map.of("InitialHeapSize", new JdkFlag("416284672", PRODUCT, DEFAULT)),
                Map.of("InitialHeapSize", new JdkFlag("8388608", PRODUCT, DEFAULT)),
                true);
        assertThat(changes.revertible(true)).isEmpty();
        assertThat(changes.revertible(false).getFirst().optionsAsBefore())
                .containsExactly("-XX:InitialHeapSize=416284672");
    }

    @Test
    void report_is_bounded() {
        Map<String, JdkFlag> many = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            many.put("Flag" + i, new JdkFlag("x".repeat(100), PRODUCT, DEFAULT));
        }
        assertThat(new JdkFlags(many).flags()).hasSize(1000);
        many.replaceAll((name, flag) -> new JdkFlag("x".repeat(200), PRODUCT, DEFAULT));
        assertThatThrownBy(() -> new JdkFlags(many))
                .isInstanceOf(FieldChecks.Refused.class)
                .hasMessageContaining("131072 characters");
        assertThatThrownBy(() -> new JdkFlags(Map.of())).hasMessageContaining("1 to 3000");
        assertThatThrownBy(() -> new JdkFlags(Map.of("not a name", OLD.get("Same"))))
                .isInstanceOf(FieldChecks.Refused.class);
    }
}
