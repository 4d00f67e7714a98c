package dev.loomboard.webhook;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Whether an address is one of the public internet, by the registries of special addresses of IANA (RFC 6890 and what came after). What
 * is not stands for machines beside the service, or for none.
 */
final class PublicAddress {

    /** First byte to last of what is not public, and the length of the prefix. */
    private record Block(int address, int bits) {

        static Block of(int a, int b, int c, int d, int bits) {
            return new Block((a << 24) | (b << 16) | (c << 8) | d, bits);
        }

        boolean has(int other) {
            return ((address ^ other) >>> (Integer.SIZE - bits)) == 0;
        }
    }

    private static final List<Block> NOT_PUBLIC = List.of(
            Block.of(0, 0, 0, 0, 8),
            Block.of(10, 0, 0, 0, 8),
            Block.of(100, 64, 0, 0, 10),
            Block.of(127, 0, 0, 0, 8),
            Block.of(169, 254, 0, 0, 16),
            Block.of(172, 16, 0, 0, 12),
            Block.of(192, 0, 0, 0, 24),
            Block.of(192, 0, 2, 0, 24),
            Block.of(192, 88, 99, 0, 24),
            Block.of(192, 168, 0, 0, 16),
            Block.of(198, 18, 0, 0, 15),
            Block.of(198, 51, 100, 0, 24),
            Block.of(203, 0, 113, 0, 24),
            Block.of(224, 0, 0, 0, 3));

    private PublicAddress() {}

    static boolean is(InetAddress address) {
        return switch (address) {
            case Inet4Address four -> is(four.getAddress());
            case Inet6Address six -> isGlobal(six.getAddress());
            default -> false;
        };
    }

    private static boolean is(byte[] four) {
        int address = word(four, 0);
        return NOT_PUBLIC.stream().noneMatch(block -> block.has(address));
    }

    /** Of 2000::/3 alone, and there nothing that is documentation, has an address of version 4 in it (6to4, Teredo), or is set apart. */
    private static boolean isGlobal(byte[] six) {
        int first = word(six, 0);
        boolean unicast = (first >>> 29) == 1;
        boolean special = (first >>> 9) == (0x2001_0000 >>> 9);
        boolean documentation = first == 0x2001_0DB8 || (first >>> 12) == (0x3FFF_0000 >>> 12);
        boolean sixToFour = (first >>> 16) == 0x2002;
        return unicast && !special && !documentation && !sixToFour;
    }

    private static int word(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }
}
