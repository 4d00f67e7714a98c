package dev.loomboard.limits.connection;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections of each address that have not proven whose they are, and closes those above a number. Who has
 * signed in or sent a good key is not counted: a fleet of agents may share one address.
 */
final class OpenConnections {

    private static final AttributeKey<String> COUNTED_AS = AttributeKey.valueOf(OpenConnections.class, "address");

    /** Bytes of an IPv6 address that name a network: one customer has all addresses in it. */
    private static final int NETWORK_BYTES = 8;

    private final int most;
    private final ConcurrentMap<String, Integer> open = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();
    private final LongAdder closed = new LongAdder();

    /** @param most 0: as many as come */
    OpenConnections(int most) {
        this.most = most;
    }

    /** Shows an operator how many there are, and how many were closed because their address had too many. */
    void show(MeterRegistry registry) {
        Gauge.builder("loomboard.connections.open", all, AtomicInteger::get)
                .description("Connections that clients have to the service")
                .register(registry);
        FunctionCounter.builder("loomboard.connections.refused", closed, LongAdder::sum)
                .description("Connections that were closed because their address had too many")
                .register(registry);
    }

    void opened(Channel channel) {
        all.incrementAndGet();
        channel.closeFuture().addListener(ended -> all.decrementAndGet());
        String address = address(channel);
        if (most == 0 || address == null) {
            return;
        }
        channel.attr(COUNTED_AS).set(address);
        channel.closeFuture().addListener(ended -> forget(channel));
        if (open.merge(address, 1, Integer::sum) > most) {
            closed.increment();
            channel.close();
        }
    }

    /** Its caller is known: it no longer counts. */
    void proven(Channel channel) {
        forget(channel);
    }

    private void forget(Channel channel) {
        String address = channel.attr(COUNTED_AS).getAndSet(null);
        if (address != null) {
            open.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
        }
    }

    private static @Nullable String address(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
            return null;
        }
        InetAddress address = remote.getAddress();
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(Arrays.copyOf(bytes, Math.min(bytes.length, NETWORK_BYTES)));
    }
}
