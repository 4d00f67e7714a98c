package dev.loomboard.kernel;

import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads columns of a row; a null where the schema says not null is a bug, and named. */
public final class Rows {

    private Rows() {}

    public static long number(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Long.class), column);
    }

    public static int whole(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Integer.class), column);
    }

    public static boolean flag(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Boolean.class), column);
    }

    public static String text(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, String.class), column);
    }

    public static @Nullable String textOrNull(Readable row, String column) {
        return row.get(column, String.class);
    }

    public static List<String> texts(Readable row, String column) {
        return List.of(Objects.requireNonNull(row.get(column, String[].class), column));
    }

    public static String json(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Json.class), column).asString();
    }

    public static Instant instant(Readable row, String column) {
        return Objects.requireNonNull(instantOrNull(row, column), column);
    }

    public static @Nullable Instant instantOrNull(Readable row, String column) {
        OffsetDateTime time = row.get(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
