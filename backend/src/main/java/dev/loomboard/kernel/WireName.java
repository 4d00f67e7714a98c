package dev.loomboard.kernel;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An enum that tables, JSON and addresses write in lower case, its words joined by hyphens: EVENT_LOOP is event-loop. */
public interface WireName {

    String name();

    /** As tables, JSON and addresses write it. */
    @JsonValue
    default String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constant of a text from a table, where nothing else can stand. */
    static <E extends Enum<E> & WireName> E of(Class<E> type, String text) {
        return find(type, text)
                .orElseThrow(() -> new IllegalArgumentException(
                        type.getSimpleName() + " must be one of " + choices(type) + ", is: " + text));
    }

    /** All that may stand there: "a, b, c". */
    static String choices(Class<? extends WireName> type) {
        return Stream.of(type.getEnumConstants()).map(WireName::wire).collect(Collectors.joining(", "));
    }

    /** The constant of a nullable column of a table. */
    static <E extends Enum<E> & WireName> @Nullable E orNull(Class<E> type, @Nullable String text) {
        return text == null ? null : of(type, text);
    }

    /** The constant of a text that somebody typed; empty: there is none. */
    static <E extends Enum<E> & WireName> Optional<E> find(Class<E> type, String text) {
        return Stream.of(type.getEnumConstants())
                .filter(constant -> constant.wire().equals(text))
                .findFirst();
    }
}
