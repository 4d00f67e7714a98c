package dev.loomboard.notice;

import dev.loomboard.kernel.Rows;
import io.r2dbc.spi.Readable;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The part of a query that reads which kinds somebody chose. */
public final class NoticeKindSql {

    private NoticeKindSql() {}

    /** Of a row with a flag for each, named as the kind is. */
    public static Set<NoticeKind> chosen(Readable row) {
        return Stream.of(NoticeKind.values())
                .filter(kind -> Rows.flag(row, kind.wire().replace('-', '_')))
                .collect(Collectors.toUnmodifiableSet());
    }
}
