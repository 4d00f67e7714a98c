package dev.loomboard.cell;

/**
 * The part of a query by which a result says whether it may rank where everybody sees it. It is looked up and not
 * stored with results, as a retraction is: an administrator may admit a machine, and take that back, at any time.
 */
public final class AdmittedSql {

    /** The reason of a result that may not; the page of its machine says more. */
    public static final String NOT_VERIFIED = "not verified: no administrator admitted its machine to public ranks";

    private AdmittedSql() {}

    /**
     * A condition.
     *
     * @param row alias of a row with {@code visibility} and {@code machine_id}. Plan: machine_pk
     */
    public static String admitted(String row) {
        return """
                 (%1$s.visibility = 'private'
                  or exists (select from machine a where a.machine_id = %1$s.machine_id and a.admitted_at is not null))
                """.formatted(row);
    }
}
