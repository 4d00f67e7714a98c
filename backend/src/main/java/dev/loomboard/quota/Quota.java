package dev.loomboard.quota;

import dev.loomboard.view.Format;

/** What a workspace uses of something, and how much it may have of it. */
public record Quota(QuotaKind kind, long used, long allowed) {

    private static final double KIB = 1024;

    /** Whether so much more would be too much. */
    boolean exceededBy(long more) {
        return used > allowed - more;
    }

    /** Why there cannot be more, and what to do, as a sentence that begins with "the workspace". */
    public String refusal() {
        return "the workspace has " + usedText() + " of " + allowedText() + (kind.bytes() ? " of " : " ")
                + kind.things() + ". " + kind.remedy() + ", or ask an administrator of this installation to allow more";
    }

    public String usedText() {
        return text(used);
    }

    public String allowedText() {
        return text(allowed);
    }

    private String text(long number) {
        return kind.bytes() ? bytes(number) : Format.count(number);
    }

    private static String bytes(long bytes) {
        double shown = bytes / KIB / KIB;
        return shown < KIB ? Format.decimals(shown, 1) + " MiB" : Format.decimals(shown / KIB, 1) + " GiB";
    }
}
