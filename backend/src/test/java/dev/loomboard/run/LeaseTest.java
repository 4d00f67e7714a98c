package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.RunState;
import dev.loomboard.run.Lease.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LeaseTest {

    private static final Instant T0 = Instant.parse("2026-11-21T02:00:00Z");
    private static final Duration LENGTH = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofHours(6);

    @Test
    void every_claim_raises_the_token() {
        Lease first = granted(Lease.queued(), T0);
        assertThat(first.state()).isEqualTo(RunState.LEASED);
        assertThat(first.fencing()).isEqualTo(1);
        assertThat(first.expires()).isEqualTo(T0.plusSeconds(60));
        assertThat(granted(first, T0.plusSeconds(5)).fencing()).isEqualTo(2);
    }

    @Test
    void a_fourth_lease_is_not_given() {
        Lease third = granted(granted(granted(Lease.queued(), T0), T0), T0);
        assertThat(third.claim(T0, LENGTH)).isInstanceOfSatisfying(Lease.Spent.class, spent -> {
            assertThat(spent.next().state()).isEqualTo(RunState.FAILED);
            assertThat(spent.next().failure()).contains("3 times");
        });
    }

    @Test
    void a_heartbeat_keeps_the_lease_and_makes_it_running() {
        Lease leased = granted(Lease.queued(), T0);
        Lease running = heard(leased, 1, T0.plusSeconds(30)).next();
        assertThat(running.state()).isEqualTo(RunState.RUNNING);
        assertThat(running.expires()).isEqualTo(T0.plusSeconds(90));
    }

    @Test
    void run_that_wants_further_trials_waits_for_its_machine_to_claim_it() {
        Lease running = heard(granted(granted(Lease.queued(), T0), T0), 2, T0).next();
        Lease again = running.again(T0, LENGTH);
        assertThat(again.complete(2, Outcome.DONE, null, 0)).isInstanceOf(Lease.EndedBefore.class);
        assertThat(heard(again, 2, T0.plusSeconds(30)).next()).isEqualTo(again);
        Lease third = granted(again, T0.plusSeconds(40));
        assertThat(third.fencing()).isEqualTo(3);
        assertThat(granted(granted(third, T0), T0).fencing())
                .as("with all its attempts before it")
                .isEqualTo(5);
        assertThat(again.passed(T0.plusSeconds(60), PATIENCE).state()).isEqualTo(RunState.DISCONNECTED);
        assertThat(third.complete(3, Outcome.DONE, null, 0)).isInstanceOf(Lease.Ended.class);
    }

    @Test
    void an_older_token_is_superseded_everywhere() {
        Lease second = granted(granted(Lease.queued(), T0), T0);
        assertThat(second.heartbeat(1, T0, LENGTH)).isInstanceOf(Lease.Superseded.class);
        assertThat(second.complete(1, Outcome.DONE, null, 0)).isInstanceOf(Lease.Superseded.class);
        assertThat(second.heartbeat(3, T0, LENGTH)).isInstanceOf(Lease.Superseded.class);
    }

    @Test
    void silence_disconnects_then_fails_and_a_heartbeat_in_between_mends() {
        Lease leased = granted(Lease.queued(), T0);
        assertThat(leased.passed(T0.plusSeconds(59), PATIENCE)).isSameAs(leased);
        Lease away = leased.passed(T0.plusSeconds(60), PATIENCE);
        assertThat(away.state()).isEqualTo(RunState.DISCONNECTED);
        assertThat(away.passed(T0.plusSeconds(60).plus(PATIENCE).minusSeconds(1), PATIENCE))
                .isSameAs(away);
        assertThat(heard(away, 1, T0.plusSeconds(100)).next().state()).isEqualTo(RunState.RUNNING);
        Lease failed = away.passed(T0.plusSeconds(60).plus(PATIENCE), PATIENCE);
        assertThat(failed.state()).isEqualTo(RunState.FAILED);
        assertThat(failed.failure()).isEqualTo("Its machine has been away for 6 h.");
    }

    @Test
    void a_disconnected_run_is_given_back_to_its_machine() {
        Lease away = granted(Lease.queued(), T0).passed(T0.plusSeconds(60), PATIENCE);
        assertThat(granted(away, T0.plusSeconds(3600)).fencing()).isEqualTo(2);
    }

    @Test
    void cancel_is_at_once_where_no_agent_works_and_else_told_to_it() {
        assertThat(Lease.queued().cancel(T0).state()).isEqualTo(RunState.CANCELLED);
        Lease asked = granted(Lease.queued(), T0).cancel(T0.plusSeconds(1));
        assertThat(asked.state()).isEqualTo(RunState.LEASED);
        assertThat(heard(asked, 1, T0.plusSeconds(2)).cancel()).isTrue();
        assertThat(asked.cancel(T0.plusSeconds(9))).isSameAs(asked);
        assertThat(asked.passed(T0.plusSeconds(60), PATIENCE).state()).isEqualTo(RunState.CANCELLED);
        assertThat(asked.claim(T0, LENGTH))
                .isInstanceOfSatisfying(
                        Lease.Spent.class, s -> assertThat(s.next().state()).isEqualTo(RunState.CANCELLED));
    }

    @Test
    void completion_is_idempotent_and_waits_for_the_trials() {
        Lease leased = granted(Lease.queued(), T0);
        assertThat(leased.complete(1, Outcome.DONE, null, 2)).isEqualTo(new Lease.TooEarly(2));
        Lease done = ended(leased, Outcome.DONE);
        assertThat(done.state()).isEqualTo(RunState.DONE);
        assertThat(done.complete(1, Outcome.DONE, null, 0)).isEqualTo(new Lease.EndedBefore());
        assertThat(done.complete(1, Outcome.FAILED, "no", 0)).isInstanceOf(Lease.Superseded.class);
        assertThat(ended(leased, Outcome.FAILED).failure()).isEqualTo("The agent gave no reason.");
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    void what_is_over_stays_as_it_is(Outcome outcome) {
        Lease over = ended(granted(Lease.queued(), T0), outcome);
        assertThat(over.state().isOver()).isTrue();
        assertThat(over.cancel(T0)).isSameAs(over);
        assertThat(over.abandoned()).isSameAs(over);
        assertThat(over.passed(T0.plus(Duration.ofDays(9)), PATIENCE)).isSameAs(over);
        assertThat(over.heartbeat(1, T0, LENGTH)).isInstanceOf(Lease.Superseded.class);
    }

    private static Lease granted(Lease lease, Instant now) {
        return ((Lease.Granted) lease.claim(now, LENGTH)).next();
    }

    private static Lease.Heard heard(Lease lease, long token, Instant now) {
        return (Lease.Heard) lease.heartbeat(token, now, LENGTH);
    }

    private static Lease ended(Lease lease, Outcome outcome) {
        return ((Lease.Ended) lease.complete(lease.fencing(), outcome, null, 0)).next();
    }
}
