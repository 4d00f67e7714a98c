package dev.loomboard.server.quarkus;

import java.util.OptionalLong;

/**
 * What a request asks for, by the texts of its query string, of which a null is absent: enough for every matrix file, too
 * little to take the machine down by a typing error.
 */
final class Parameters {

    private Parameters() {}

    static long delayMs(String text, long absent) {
        return within("delayMs", text, 0, 60_000, absent);
    }

    static int size(String text, int absent) {
        return (int) within("size", text, 1, 1_000, absent);
    }

    static int count(String text) {
        return (int) within("count", text, 1, 2_000_000, 100_000);
    }

    static int from(String text) {
        return (int) within("from", text, Integer.MIN_VALUE, Integer.MAX_VALUE, 1);
    }

    /** Empty: the clock. */
    static OptionalLong seed(String text) {
        return number("seed", text);
    }

    private static long within(String name, String text, long least, long most, long absent) {
        long value = number(name, text).orElse(absent);
        if (value < least || value > most) {
            throw new BadParameter(name + " must be " + least + " to " + most + ", but is " + value);
        }
        return value;
    }

    private static OptionalLong number(String name, String text) {
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new BadParameter(name + " must be a whole number, but is " + text);
        }
    }
}
