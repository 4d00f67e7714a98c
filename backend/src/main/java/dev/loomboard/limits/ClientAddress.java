package dev.loomboard.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a request came from. */
public final class ClientAddress {

    /** What one subscriber is given at least: a subscriber with one IPv6 address has so many others that counting single addresses is useless. */
    private static final int NETWORK_BYTES = 8;

    private ClientAddress() {}

    /**
     * The address by which throttles tell callers apart: of IPv4 itself, of IPv6 its /64.
     *
     * @param remote as the request has it; null: not known
     */
    public static String group(@Nullable InetSocketAddress remote) {
        InetAddress address = remote == null ? null : remote.getAddress();
        if (address == null) {
            return "unknown";
        }
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES) + "/64"
                : address.getHostAddress();
    }

    /**
     * The client as the outermost of our own proxies saw it. Each proxy adds at the right whom it was asked by, so what stands
     * left of that entry was written by the client, or by proxies of others.
     *
     * @param forwarded all lines of X-Forwarded-For
     * @param hops how many proxies of ours a request passes
     * @return empty: the entry is missing or no address, so no proxy of ours wrote it
     */
    static Optional<InetAddress> forwarded(List<String> forwarded, int hops) {
        List<String> entries = forwarded.stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .map(String::strip)
                .toList();
        return entries.size() < hops ? Optional.empty() : literal(entries.get(entries.size() - hops));
    }

    private static Optional<InetAddress> literal(String entry) {
        try {
            return Optional.of(InetAddress.ofLiteral(withoutPort(entry))); // never asks a name server
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** 192.0.2.1:443 and [2001:db8::1]:443 name a port, 2001:db8::1 does not. */
    private static String withoutPort(String entry) {
        if (entry.startsWith("[")) {
            return entry.substring(1, Math.max(1, entry.indexOf(']')));
        }
        int colon = entry.indexOf(':');
        return colon >= 0 && colon == entry.lastIndexOf(':') ? entry.substring(0, colon) : entry;
    }
}
