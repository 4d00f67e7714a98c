package dev.loomboard.notice;

/** The parts of the statements that begin and end alarms which open notices of them and take those back that are not told yet. */
public final class AlarmNoticeSql {

    /**
     * An insert, of rows {@code begun (workspace_id, kind, schedule_id, machine_id, since_at)}. Its time is {@code now()}, as must be that
     * of the alarm: by it the two belong together.
     */
    public static final String OPEN = """
            insert into notice (workspace_id, kind, schedule_id, machine_id, since_at, ordinal, first_at, newest_at)
            select workspace_id, kind, schedule_id, machine_id, since_at, 1, now(), now() from begun
            """;

    private AlarmNoticeSql() {}

    /**
     * A delete, of rows {@code ended} with that column: what is over before anybody was told is no news.
     *
     * @param subject {@code schedule_id} or {@code machine_id}
     */
    public static String takeBack(String subject) {
        return "delete from notice n using ended e where n." + subject + " = e." + subject + " and n.told_at is null";
    }
}
