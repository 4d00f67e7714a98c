package dev.loomboard.server.jetty;

import java.util.OptionalLong;
import org.eclipse.jetty.util.Fields;

/** What a request asks for: enough for every matrix file, too little to take the machine down by a typing error. */
record Parameters(Fields values) {

    long delayMs(long absent) {
        return within("delayMs", 0, 60_000, absent);
    }

    int size(int absent) {
        return (int) within("size", 1, 1_000, absent);
    }

    int count(int absent) {
        return (int) within("count", 1, 2_000_000, absent);
    }

    int from() {
        return (int) within("from", Integer.MIN_VALUE, Integer.MAX_VALUE, 1);
    }

    /** Empty: the clock. */
    OptionalLong seed() {
        return number("seed");
    }

    /** That of a row, by the path of a request. */
    static int id(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new BadParameter("id must be a whole number of 32 bits, but is " + text);
        }
    }

    private long within(String name, long least, long most, long absent) {
        long value = number(name).orElse(absent);
        if (value < least || value > most) {
            throw new BadParameter(name + " must be " + least + " to " + most + ", but is " + value);
        }
        return value;
    }

    private OptionalLong number(String name) {
        String text = values.getValue(name);
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
