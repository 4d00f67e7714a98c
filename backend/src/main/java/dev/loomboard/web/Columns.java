package dev.loomboard.web;

import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Columns of a row, with the null-ness a store knows them to have. JSON columns are selected as text. */
public final class Columns {

    private Columns() {}

    public static String text(Readable row, String column) {
        return required(row, column, String.class);
    }

    public static @Nullable String textOrNull(Readable row, String column) {
        return row.get(column, String.class);
    }

    public static long whole(Readable row, String column) {
        return required(row, column, Long.class);
    }

    public static @Nullable Long wholeOrNull(Readable row, String column) {
        return row.get(column, Long.class);
    }

    public static int integer(Readable row, String column) {
        return required(row, column, Integer.class);
    }

    public static double number(Readable row, String column) {
        return required(row, column, Double.class);
    }

    public static @Nullable Double numberOrNull(Readable row, String column) {
        return row.get(column, Double.class);
    }

    public static boolean flag(Readable row, String column) {
        return required(row, column, Boolean.class);
    }

    public static Instant instant(Readable row, String column) {
        return required(row, column, OffsetDateTime.class).toInstant();
    }

    public static @Nullable Instant instantOrNull(Readable row, String column) {
        OffsetDateTime at = row.get(column, OffsetDateTime.class);
        return at == null ? null : at.toInstant();
    }

    public static <T> T required(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }

    /** The workspaces a caller may read, as a query takes them: {@code workspace_id = any(:workspaces)}. */
    public static Long[] readable(Caller caller) {
        return caller.workspaces().stream().map(WorkspaceId::value).toArray(Long[]::new);
    }
}
