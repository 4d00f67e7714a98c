package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Runs whose stored matrix cannot be read, as a newer or an older version may have left them. */
final class UnreadableRunTest extends RunWebTest {

    private final ListAppender<ILoggingEvent> said = new ListAppender<>();
    private final List<String> spoilt = new ArrayList<>();

    @BeforeEach
    void listen() {
        said.start();
        ((Logger) LoggerFactory.getLogger(LeaseService.class)).addAppender(said);
    }

    @AfterEach
    void listenNoMoreAndMend() {
        spoilt.forEach(run -> execute("update run set spec = x.spec from matrix x"
                + " where x.matrix_id = run.matrix_id and run.external_id = '" + run + "'"));
        ((Logger) LoggerFactory.getLogger(LeaseService.class)).detachAppender(said);
    }

    @Test
    void silent_one_fails_with_the_reason_and_does_not_hold_up_the_others() {
        String unreadable = claimed(machine);
        spoil(unreadable);
        String sound = claimed(TestMachine.registered(as(Role.TOKEN), client, "public"));
        silence(unreadable, "1 second");
        silence(sound, "7 hours");
        complete(leases.expire());
        assertThat(state(unreadable)).isEqualTo("failed");
        assertThat(text("failure", unreadable)).startsWith("Its stored matrix cannot be read");
        assertThat(state(sound)).isEqualTo("failed");
        assertThat(text("failure", sound)).startsWith("Its machine has been away");
        assertThat(told(unreadable)).hasSize(1);
        assertThat(number("select count(*) from trial where state in ('planned', 'running') and run_id in "
                        + "(select run_id from run where external_id = '" + unreadable + "')"))
                .isZero();
    }

    /** For whatever reason: here the database itself refuses. */
    @Test
    void silent_one_that_cannot_be_changed_is_told_of_once_and_the_others_go_on() {
        String stuck = claimed(machine);
        String sound = claimed(TestMachine.registered(as(Role.TOKEN), client, "public"));
        long key = number("select run_id from run where external_id = '" + stuck + "'");
        silence(stuck, "7 hours");
        silence(sound, "7 hours");
        execute("create function refuse_change() returns trigger language plpgsql as $$ begin raise 'no'; end $$");
        execute("create trigger refuse_change_tr before update on run for each row when (old.run_id = " + key
                + ") execute function refuse_change()");
        try {
            complete(leases.expire());
            complete(leases.expire());
            assertThat(state(sound)).isEqualTo("failed");
            assertThat(state(stuck)).isEqualTo("disconnected");
            assertThat(said.list)
                    .filteredOn(event -> event.getFormattedMessage().startsWith("the run with the key " + key + " "))
                    .hasSize(1);
        } finally {
            execute("drop trigger refuse_change_tr on run");
            execute("drop function refuse_change()");
        }
        complete(leases.expire());
        assertThat(state(stuck)).isEqualTo("failed");
    }

    @Test
    void queued_one_fails_when_its_machine_asks_for_work_and_the_next_is_given() {
        String unreadable = queue(machine);
        String next = queue(machine);
        spoil(unreadable);
        assertThat(claim().get("runId").asString()).isEqualTo(next);
        assertThat(state(unreadable)).isEqualTo("failed");
        assertThat(told(unreadable)).hasSize(1);
    }

    private String claimed(TestMachine by) {
        String run = queue(by);
        bearer(by.key())
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isOk();
        return run;
    }

    private List<ILoggingEvent> told(String run) {
        return said.list.stream()
                .filter(event -> event.getFormattedMessage().contains(run))
                .toList();
    }

    private void spoil(String run) {
        spoilt.add(run);
        execute("update run set spec = '{}' where external_id = '" + run + "'");
    }

    private void silence(String run, String since) {
        execute("update run set state = 'disconnected', lease_expires_at = now() - interval '" + since
                + "' where external_id = '" + run + "'");
    }

    private String state(String run) {
        return text("state", run);
    }

    private String text(String column, String run) {
        return await(database.sql("select " + column + " from run where external_id = '" + run + "'")
                .map(row -> row.get(0, String.class))
                .one());
    }
}
