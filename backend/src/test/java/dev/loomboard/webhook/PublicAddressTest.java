package dev.loomboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.outbox.Delivery;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where webhooks may lead, and that they lead nowhere else. */
final class PublicAddressTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.1.2.3",
                "100.64.0.1",
                "127.0.0.1",
                "127.255.255.255",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "203.0.113.9",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "fc00::1",
                "fd12::1",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "2001:db8::1",
                "2001::1",
                "2002:7f00:1::1"
            })
    void address_beside_the_service_or_of_nobody_is_not_public(String address) {
        assertThat(PublicAddress.is(InetAddress.ofLiteral(address))).isFalse();
        assertThat(NewWebhook.wrong("https://" + host(address) + "/hook", WebhookReach.PUBLIC))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.1",
                "172.15.0.1",
                "172.32.0.1",
                "192.167.0.1",
                "223.255.255.254",
                "2606:4700::1"
            })
    void other_addresses_are(String address) {
        assertThat(PublicAddress.is(InetAddress.ofLiteral(address))).isTrue();
        assertThat(NewWebhook.wrong("https://" + host(address) + "/hook", WebhookReach.PUBLIC))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http://example.org/",
                "ftp://example.org/",
                "https:///hook",
                "https://user:secret@example.org/",
                "https://example.org/#x",
                "https://example.org:0/",
                "https://example.org:70000/",
                "example.org/hook",
                "https://exa mple.org/",
                "file:///etc/passwd"
            })
    void address_that_is_none_of_https_is_refused_when_it_is_typed(String url) {
        assertThat(NewWebhook.wrong(url, WebhookReach.PUBLIC)).isNotNull();
    }

    /** A name says nothing of where it leads: it is looked up when a message is sent, and the connection is not made. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "[::1]", "127.1", "2130706433"})
    void no_connection_is_made_to_the_service_s_own_network(String host) throws IOException {
        WebhookClientService client = new WebhookClientService(WebhookReach.PUBLIC);
        try (ServerSocket inside = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Delivery delivery = client.post(
                            "https://" + host + ":" + inside.getLocalPort() + "/",
                            Map.of(),
                            "{}".getBytes(StandardCharsets.UTF_8))
                    .block(TIMEOUT);
            assertThat(delivery).isInstanceOf(Delivery.Failed.class);
            inside.setSoTimeout(1);
            assertThat(connected(inside)).isFalse();
        } finally {
            client.destroy();
        }
    }

    @Test
    void operator_may_allow_no_webhooks() {
        WebhookClientService client = new WebhookClientService(WebhookReach.NOWHERE);
        assertThat(client.post("https://example.org/", Map.of(), new byte[0]).block(TIMEOUT))
                .isEqualTo(new Delivery.Failed("the operator of this service allows no webhooks", true));
    }

    /** What had connected would wait there already: the attempt is over. */
    private static boolean connected(ServerSocket inside) throws IOException {
        try {
            inside.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static String host(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }
}
