package dev.loomboard.bundle;

import java.util.Locale;

/** How the members of a bundle are called. */
public final class MemberNames {

    public static final String MANIFEST = "manifest.json";
    public static final String RUN = "run.json";
    public static final String TABLE = "trials.csv";

    private MemberNames() {}

    /** @param number of the trial in {@code run.json}, from 1 */
    public static String batch(int number, int seq) {
        return String.format(Locale.ROOT, "trials/%03d/batch-%05d.json", number, seq);
    }

    public static String artefact(int number, String file) {
        return String.format(Locale.ROOT, "trials/%03d/artefacts/%s", number, file);
    }
}
