package dev.loomboard.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.SignInThrottle.Attempt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SignInThrottleTest {

    private static final Attempt A = new Attempt("a@b.c", "10.0.0.1", null);

    private final AtomicLong nanos = new AtomicLong();
    private final SignInThrottle throttle = new SignInThrottle(nanos::get);

    @Test
    void account_waits_after_its_failures() {
        for (int i = 0; i < SignInThrottle.PER_ACCOUNT_AND_ADDRESS; i++) {
            assertThat(throttle.allows(A)).isTrue();
            throttle.failed(A);
        }
        assertThat(throttle.allows(A)).isFalse();
        assertThat(throttle.allows(new Attempt("other@b.c", "10.0.0.1", null))).isTrue();
    }

    @Test
    void owner_elsewhere_is_not_locked_out_by_a_guesser() {
        while (throttle.allows(A)) {
            throttle.failed(A);
        }
        assertThat(throttle.allows(new Attempt("a@b.c", "10.0.0.2", null))).isTrue();
    }

    @Test
    void address_waits_after_failures_over_many_accounts() {
        for (int i = 0; i < SignInThrottle.PER_ADDRESS; i++) {
            throttle.failed(new Attempt("a" + i + "@b.c", "10.0.0.1", null));
        }
        assertThat(throttle.allows(new Attempt("new@b.c", "10.0.0.1", null))).isFalse();
    }

    @Test
    void window_ends() {
        for (int i = 0; i < 50; i++) {
            throttle.failed(A);
        }
        nanos.set(SignInThrottle.WINDOW.toNanos() - 1);
        throttle.failed(A); // does not begin the window anew
        assertThat(throttle.allows(A)).isFalse();
        nanos.set(SignInThrottle.WINDOW.toNanos());
        assertThat(throttle.allows(A)).isTrue();
    }

    @Test
    void success_forgives_the_account() {
        for (int i = 0; i < SignInThrottle.PER_ACCOUNT_AND_ADDRESS; i++) {
            throttle.failed(A);
        }
        throttle.succeeded(A);
        assertThat(throttle.allows(A)).isTrue();
    }

    @Test
    void guesser_with_many_addresses_is_no_faster_than_the_account_allows() {
        for (int i = 0; i < SignInThrottle.PER_ACCOUNT; i++) {
            assertThat(throttle.allows(new Attempt("a@b.c", "10.0.1." + i, null)))
                    .isTrue();
            throttle.failed(new Attempt("a@b.c", "10.0.1." + i, null));
        }
        assertThat(throttle.allows(new Attempt("a@b.c", "10.0.2.1", null))).isFalse();
        assertThat(throttle.allows(new Attempt("b@b.c", "10.0.2.1", null))).isTrue();
        throttle.succeeded(new Attempt("a@b.c", "10.0.2.1", null));
        assertThat(throttle.allows(new Attempt("a@b.c", "10.0.2.1", null)))
                .as("the guesser's failures are not forgiven by the owner's success")
                .isFalse();
    }

    @Test
    void known_device_answers_for_its_own_failures_alone() {
        Attempt device = new Attempt("a@b.c", "10.0.0.1", "d1");
        for (int i = 0; i < 200; i++) {
            throttle.failed(A);
        }
        assertThat(throttle.allows(device)).isTrue();
        for (int i = 0; i < SignInThrottle.PER_DEVICE; i++) {
            throttle.failed(device);
        }
        assertThat(throttle.allows(device))
                .as("a stolen cookie is no licence to guess")
                .isFalse();
        assertThat(throttle.allows(new Attempt("a@b.c", "10.0.0.1", "d2"))).isTrue();
    }

    @Test
    void failures_that_are_noted_are_bounded() {
        int noted = 0;
        for (int i = 0; i < 3 * SignInThrottle.NOTED; i++) {
            noted += throttle.failed(new Attempt(i + "@b.c", "10.0.0." + i, null)) ? 1 : 0;
        }
        assertThat(noted).isEqualTo(SignInThrottle.NOTED);
        nanos.set(SignInThrottle.WINDOW.toNanos());
        assertThat(throttle.failed(A)).isTrue();
    }
}
