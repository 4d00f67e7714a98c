package dev.loomboard.notice;

import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WireName;
import io.r2dbc.spi.Readable;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** The parts of queries that know which kinds somebody chose. */
public final class NoticeKindSql {

    private NoticeKindSql() {}

    /** Of a row with their names in {@code kinds}. */
    public static Set<NoticeKind> chosen(Readable row) {
        return Rows.texts(row, "kinds").stream()
                .map(name -> WireName.of(NoticeKind.class, name))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** To be bound as {@code kinds}. */
    public static String[] names(Collection<NoticeKind> kinds) {
        return kinds.stream().map(NoticeKind::wire).toArray(String[]::new);
    }
}
