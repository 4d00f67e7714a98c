package dev.loomboard.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SignInThrottleTest {

    private final AtomicLong nanos = new AtomicLong();
    private final SignInThrottle throttle = new SignInThrottle(nanos::get);

    @Test
    void account_waits_after_its_failures() {
        for (int i = 0; i < SignInThrottle.PER_ACCOUNT_AND_ADDRESS; i++) {
            assertThat(throttle.allows("a@b.c", "10.0.0.1")).isTrue();
            throttle.failed("a@b.c", "10.0.0.1");
        }
        assertThat(throttle.allows("a@b.c", "10.0.0.1")).isFalse();
        assertThat(throttle.allows("other@b.c", "10.0.0.1")).isTrue();
    }

    @Test
    void owner_elsewhere_is_not_locked_out_by_a_guesser() {
        for (int i = 0; i < 100; i++) {
            throttle.failed("a@b.c", "10.0.0.1");
        }
        assertThat(throttle.allows("a@b.c", "10.0.0.2")).isTrue();
    }

    @Test
    void address_waits_after_failures_over_many_accounts() {
        for (int i = 0; i < SignInThrottle.PER_ADDRESS; i++) {
            throttle.failed("a" + i + "@b.c", "10.0.0.1");
        }
        assertThat(throttle.allows("new@b.c", "10.0.0.1")).isFalse();
    }

    @Test
    void window_ends() {
        for (int i = 0; i < 50; i++) {
            throttle.failed("a@b.c", "10.0.0.1");
        }
        nanos.set(SignInThrottle.WINDOW.toNanos() - 1);
        throttle.failed("a@b.c", "10.0.0.1"); // does not begin the window anew
        assertThat(throttle.allows("a@b.c", "10.0.0.1")).isFalse();
        nanos.set(SignInThrottle.WINDOW.toNanos());
        assertThat(throttle.allows("a@b.c", "10.0.0.1")).isTrue();
    }

    @Test
    void success_forgives_the_account() {
        for (int i = 0; i < SignInThrottle.PER_ACCOUNT_AND_ADDRESS; i++) {
            throttle.failed("a@b.c", "10.0.0.1");
        }
        throttle.succeeded("a@b.c", "10.0.0.1");
        assertThat(throttle.allows("a@b.c", "10.0.0.1")).isTrue();
    }
}
