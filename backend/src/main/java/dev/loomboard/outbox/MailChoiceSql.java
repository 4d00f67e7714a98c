package dev.loomboard.outbox;

/** The parts of queries that know what a person chose, of {@code mail_choice c}, which may be missing. */
final class MailChoiceSql {

    /** Names of kinds; without a choice, of a member {@code m}: all but what is faster, and none for viewers. */
    static final String KINDS = """
            coalesce(c.kinds, case when m.role = 'viewer' then array[]::text[]
                                   else array['slower', 'fails-more', 'night-missed', 'machine-away'] end)
            """;

    /** Of a notice {@code n}, which may be missing too: what somebody wanted without a choice is wanted still. */
    static final String STILL_WANTED = "(n.kind is null or c.kinds is null or n.kind = any(c.kinds))";

    private MailChoiceSql() {}
}
