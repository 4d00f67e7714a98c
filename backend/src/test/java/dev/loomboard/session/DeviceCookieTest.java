package dev.loomboard.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.credential.AccountStore.Login;
import dev.loomboard.kernel.AccountId;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DeviceCookieTest {

    private static final Login ANN = new Login(new AccountId(1), "acc_ann", "ann@example.org", "$argon2id$one");
    private static final Login BOB = new Login(new AccountId(2), "acc_bob", "bob@example.org", "$argon2id$one");

    @Test
    void browser_is_known_to_the_account_that_it_signed_in_to() {
        DeviceCookie cookie = DeviceCookie.issue(ANN);
        assertThat(DeviceCookie.device(ANN, sent(cookie))).isPresent();
        assertThat(DeviceCookie.device(ANN, sent(DeviceCookie.issue(ANN))))
                .isNotEqualTo(DeviceCookie.device(ANN, sent(cookie)));
        assertThat(DeviceCookie.device(ANN, Map.of())).isEmpty();
    }

    @Test
    void cookie_of_another_account_or_password_is_worth_nothing() {
        DeviceCookie cookie = DeviceCookie.issue(BOB);
        assertThat(DeviceCookie.device(ANN, sent(cookie))).isEmpty();
        assertThat(DeviceCookie.device(ANN, Map.of("lb_device_ann", cookie.value())))
                .isEmpty();
        assertThat(DeviceCookie.device(BOB.withPasswordHash("$argon2id$two"), sent(cookie)))
                .isEmpty();
    }

    @Test
    void forged_cookie_is_worth_nothing() {
        String value = DeviceCookie.issue(ANN).value();
        char other = value.charAt(0) == '0' ? '1' : '0';
        for (String forged : new String[] {"", ".", value + "a", value.substring(1), other + value.substring(1)}) {
            assertThat(DeviceCookie.device(ANN, Map.of("lb_device_ann", forged)))
                    .isEmpty();
        }
    }

    private static Map<String, String> sent(DeviceCookie cookie) {
        return Map.of(cookie.name(), cookie.value());
    }
}
