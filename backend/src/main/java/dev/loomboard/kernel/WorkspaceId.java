package dev.loomboard.kernel;

/** Internal key of a workspace; never leaves the service. */
public record WorkspaceId(long value) implements Internal {

    /** Slug of the workspace that every installation has from the start: its own. */
    public static final String OWN = "main";

    /** Slug of the one with the results that ship with Loomboard, where its operator wants them: nobody belongs to it. */
    public static final String SHIPPED = "shipped-results";
}
