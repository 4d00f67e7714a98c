package dev.loomboard.outbox;

import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WireName;
import dev.loomboard.notice.NoticeKind;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;

/** The parts of a query on {@code outbox o} that say in a few words what a message tells. */
public final class NoticeTitleSql {

    public static final String COLUMNS =
            "n.kind, j.vendor, j.runtime_version, coalesce(ns.title, nm.name) as alarm_subject";

    /** Plan: primary keys. */
    public static final String JOIN = """
            left join notice n on n.notice_id = o.notice_id
            left join jdk_build j on j.jdk_build_id = n.jdk_build_id
            left join schedule ns on ns.schedule_id = n.schedule_id
            left join machine nm on nm.machine_id = n.machine_id
            """;

    private NoticeTitleSql() {}

    /** Such as "25.0.2+9 temurin is slower"; null: it tells of no notice. */
    public static @Nullable String title(Readable row) {
        String kind = Rows.textOrNull(row, "kind");
        if (kind == null) {
            return null;
        }
        String alarm = Rows.textOrNull(row, "alarm_subject");
        String subject = alarm == null
                ? Jdk.shortVersion(Rows.text(row, "runtime_version")) + " " + Rows.text(row, "vendor")
                : alarm;
        return subject + " " + WireName.of(NoticeKind.class, kind).predicate();
    }
}
