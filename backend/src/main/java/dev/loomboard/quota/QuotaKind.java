package dev.loomboard.quota;

/** What of a workspace is limited. */
public enum QuotaKind {
    STORED("stored_bytes", true, "Measurements", "stored measurements"),
    ARTEFACTS("artefact_bytes", true, "Artefacts", "artefacts of diagnostic trials"),
    MACHINES("machines", false, "Machines", "machines (registrations that wait included)"),
    QUEUED_RUNS("queued_runs", false, "Queued runs", "queued runs"),
    MATRICES("matrices", false, "Matrices", "matrices"),
    SCHEDULES("schedules", false, "Schedules", "schedules");

    private final String column;
    private final boolean bytes;
    private final String title;
    private final String things;

    QuotaKind(String column, boolean bytes, String title, String things) {
        this.column = column;
        this.bytes = bytes;
        this.title = title;
        this.things = things;
    }

    /** Of both tables, and of what is counted. */
    String column() {
        return column;
    }

    boolean bytes() {
        return bytes;
    }

    /** As a heading. */
    public String title() {
        return title;
    }

    /** Within a sentence. */
    String things() {
        return things;
    }

    /** What an owner can do when there is no room. */
    String remedy() {
        return switch (this) {
            case STORED -> "Raw samples are removed when they are old, which makes room";
            case ARTEFACTS -> "Measure less with diagnostic trials";
            case MACHINES -> "Revoke a machine that is not used";
            case QUEUED_RUNS -> "Cancel some, or wait until machines have measured them";
            case MATRICES -> "Change one that is not used any more";
            case SCHEDULES -> "Delete one that is not used any more";
        };
    }
}
