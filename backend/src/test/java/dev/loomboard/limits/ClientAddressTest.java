package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientAddressTest {

    @Test
    void entry_of_our_own_proxy_counts_and_what_the_client_wrote_does_not() {
        assertThat(forwarded(1, "192.0.2.7")).contains("192.0.2.7");
        assertThat(forwarded(1, "10.0.0.1, 203.0.113.9,192.0.2.7")).contains("192.0.2.7");
        assertThat(forwarded(1, "10.0.0.1", "192.0.2.7")).as("two lines").contains("192.0.2.7");
        assertThat(forwarded(2, "10.0.0.1, 192.0.2.7, 198.51.100.2")).contains("192.0.2.7");
    }

    @Test
    void request_that_passed_fewer_proxies_is_its_sender_s() {
        assertThat(forwarded(1)).isEmpty();
        assertThat(forwarded(2, "10.0.0.1")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7:4711, 192.0.2.7",
        "[2001:db8::1]:443, 2001:db8:0:0:0:0:0:1",
        "[2001:db8::1], 2001:db8:0:0:0:0:0:1",
        "2001:db8::1, 2001:db8:0:0:0:0:0:1",
        "::ffff:192.0.2.7, 192.0.2.7"
    })
    void port_does_not_matter(String entry, String address) {
        assertThat(forwarded(1, entry)).contains(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "_hidden", "", "[", "[2001:db8::1", "example.org", "300.1.1.1", "localhost"})
    void what_is_no_address_is_not_looked_up(String entry) {
        assertThat(forwarded(1, entry)).isEmpty();
    }

    @Test
    void addresses_of_one_subscriber_are_one() {
        assertThat(group("2001:db8:1:2::1")).isEqualTo(group("2001:db8:1:2:ffff::9"));
        assertThat(group("2001:db8:1:2::1")).isNotEqualTo(group("2001:db8:1:3::1"));
        assertThat(group("192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(group("::ffff:192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(ClientAddress.group(InetSocketAddress.createUnresolved("example.org", 1)))
                .isEqualTo("unknown");
    }

    private static Optional<String> forwarded(int hops, String... lines) {
        return ClientAddress.forwarded(List.of(lines), hops).map(InetAddress::getHostAddress);
    }

    private static String group(String literal) {
        return ClientAddress.group(new InetSocketAddress(InetAddress.ofLiteral(literal), 1));
    }
}
