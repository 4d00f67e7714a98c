package dev.loomboard.limits.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

/** Counting connections by their address, without a network. */
final class OpenConnectionsTest {

    private final OpenConnections connections = new OpenConnections(2);

    @Test
    void one_above_the_number_is_closed_until_another_ends() {
        EmbeddedChannel first = open("192.0.2.1");
        EmbeddedChannel second = open("192.0.2.1");
        assertThat(open("192.0.2.1").isOpen()).isFalse();
        assertThat(open("192.0.2.2").isOpen()).as("of another address").isTrue();
        assertThat(second.isOpen()).isTrue();
        first.close();
        assertThat(open("192.0.2.1").isOpen()).isTrue();
        assertThat(open("192.0.2.1").isOpen()).isFalse();
    }

    @Test
    void connection_of_a_known_caller_does_not_count() {
        for (int i = 0; i < 10; i++) {
            EmbeddedChannel fleet = open("192.0.2.1");
            connections.proven(fleet);
            connections.proven(fleet);
            assertThat(fleet.isOpen()).isTrue();
        }
        open("192.0.2.1").close();
        open("192.0.2.1");
        open("192.0.2.1");
        assertThat(open("192.0.2.1").isOpen()).isFalse();
    }

    @Test
    void addresses_of_one_ipv6_network_count_together() {
        open("2001:db8:0:1::1");
        open("2001:db8:0:1::2");
        assertThat(open("2001:db8:0:1:ffff::3").isOpen()).isFalse();
        assertThat(open("2001:db8:0:2::1").isOpen()).isTrue();
    }

    @Test
    void nothing_is_counted_where_a_proxy_does() {
        OpenConnections unbounded = new OpenConnections(0);
        EmbeddedChannel channel = new From("192.0.2.1");
        unbounded.opened(channel);
        assertThat(channel.isOpen()).isTrue();
    }

    private EmbeddedChannel open(String address) {
        EmbeddedChannel channel = new From(address);
        connections.opened(channel);
        channel.runPendingTasks();
        return channel;
    }

    private static final class From extends EmbeddedChannel {
        private final InetSocketAddress address;

        From(String address) {
            this.address = new InetSocketAddress(address, 40_000);
        }

        @Override
        public SocketAddress remoteAddress() {
            return address;
        }
    }
}
