package dev.loomboard.kernel;

/** What somebody may do in a workspace. {@link Role} says whose rights these are; services ask for the right, never for the role. */
public enum Right {
    READ("see what is private"),
    RUN("start runs, and cancel those they started"),
    NOTE("write notes on histories"),
    TRIAGE("triage regressions"),
    CANCEL_RUNS("cancel every run"),
    LOOK_INTO("start reruns and bisections"),
    RETRACT_RUN("retract runs"),
    MACHINES("register and change machines"),
    IMPORT_RUNS("import runs that were measured elsewhere"),
    MATRICES("write matrices"),
    SCHEDULES("make and change schedules"),
    TOKENS("make and revoke API tokens"),
    MEMBERS("invite people, change their roles, remove them"),
    SETTINGS("rename the workspace, choose who sees it, add webhooks, delete it"),
    AUDIT("read the audit log");

    private final String words;

    Right(String words) {
        this.words = words;
    }

    /** What it allows, for people. */
    public String words() {
        return words;
    }
}
