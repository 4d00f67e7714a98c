package dev.loomboard.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.StoreTest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a machine says of its host, however often, is a row an hour at most. */
final class HostLogTest extends StoreTest {

    private static final Instant AT_TEN = Instant.parse("2026-11-20T10:00:00Z");
    private static final String HASH = "ab".repeat(32);

    private final InventoryStore store = new InventoryStore(database, json);
    private MachineId machine = new MachineId(1);

    @BeforeEach
    void plant() {
        PlannedTrial plan = PlannedTrial.random();
        execute(plan.sql());
        machine = new MachineId(number("select machine_id from machine where external_id = '" + plan.machine() + "'"));
    }

    @Test
    void many_hosts_in_an_hour_are_one_row_and_the_newest_stands() {
        for (int second = 0; second < 60; second++) {
            report("kernel " + second, AT_TEN.plusSeconds(second));
        }
        assertThat(log()).containsExactly("10:00:59 kernel 59");
        report("kernel a", AT_TEN.plusSeconds(3599));
        report("kernel b", AT_TEN.plusSeconds(3600));
        assertThat(log()).containsExactly("10:59:59 kernel a", "11:00:00 kernel b");
    }

    @Test
    void host_that_is_again_what_it_was_before_the_hour_leaves_no_row() {
        report("kernel a", AT_TEN);
        report("kernel b", AT_TEN.plusSeconds(7200));
        report("kernel a", AT_TEN.plusSeconds(7260));
        report("kernel a", AT_TEN.plusSeconds(9999));
        assertThat(log()).containsExactly("10:00:00 kernel a");
        report("kernel b", AT_TEN.plusSeconds(14_400));
        report("kernel a", AT_TEN.plusSeconds(18_000));
        assertThat(log())
                .as("it was another for an hour")
                .containsExactly("10:00:00 kernel a", "14:00:00 kernel b", "15:00:00 kernel a");
    }

    @Test
    void attempts_at_a_qualification_are_kept_up_to_a_number() {
        for (int i = 0; i < 15; i++) {
            int first = 20 * i;
            complete(store.keepAttempts(
                    machine,
                    IntStream.range(first, first + 20)
                            .mapToObj(n -> attempt(AT_TEN.plusSeconds(n)))
                            .toList()));
        }
        assertThat(number("select count(*) from machine_qualification where machine_id = " + machine.value()))
                .isEqualTo(InventoryStore.KEPT_ATTEMPTS);
        assertThat(number("select extract(epoch from max(measured_at))::bigint from machine_qualification"
                        + " where machine_id = " + machine.value()))
                .isEqualTo(AT_TEN.plusSeconds(299).getEpochSecond());
    }

    @Test
    void facts_are_bounded() {
        Map<String, Object> facts = Map.of("kernel", "k".repeat(65_536));
        assertThatThrownBy(() -> new Inventory.Host(HASH, HASH, "a class", facts))
                .hasMessageContaining("facts must have at most 65536 characters in all");
    }

    private static Qualification attempt(Instant at) {
        return new Qualification(
                "loomboard.qualification/1", at.toString(), "1", HASH, HASH, "cell", 1, List.of(), Map.of(), null);
    }

    private void report(String kernel, Instant at) {
        Map<String, Object> facts = Map.of("kernel", kernel, "shown", Map.of("mhzNow", at.getEpochSecond()));
        var host = new Inventory.Host(HASH, HASH, "a class", facts);
        complete(store.logHost(
                machine, new Inventory("1", host, List.of(), List.of(), List.of(), null, null, null, null), at));
    }

    private List<String> log() {
        return await(database.sql("""
                        select to_char(since at time zone 'UTC', 'HH24:MI:SS') || ' ' || (facts ->> 'kernel') as line
                          from machine_host where machine_id = :machine order by since
                        """)
                .bind("machine", machine.value())
                .map(row -> String.valueOf(row.get("line", String.class)))
                .all()
                .collectList());
    }
}
