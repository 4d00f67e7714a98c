package dev.loomboard.server.micronaut;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;

/** What a request may ask for: enough for every matrix file, too little to take the machine down by a typing error. */
final class Bounds {

    private static final long MAX_DELAY_MS = 60_000;
    private static final int MAX_SIZE = 1_000;
    private static final int MAX_COUNT = 2_000_000;

    private Bounds() {}

    static long delayMs(long value) {
        return within("delayMs", value, 0, MAX_DELAY_MS);
    }

    static int size(int value) {
        return (int) within("size", value, 1, MAX_SIZE);
    }

    static int count(int value) {
        return (int) within("count", value, 1, MAX_COUNT);
    }

    private static long within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new HttpStatusException(
                    HttpStatus.BAD_REQUEST, name + " must be " + least + " to " + most + ", but is " + value);
        }
        return value;
    }
}
