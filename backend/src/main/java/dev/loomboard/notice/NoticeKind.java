package dev.loomboard.notice;

import dev.loomboard.kernel.WireName;

/** In which way a build changed; people choose by it what they are told. */
public enum NoticeKind implements WireName {
    /** Any metric but the share of failed requests became worse. */
    SLOWER("is slower", "confirmed slower"),
    /** Any metric became better. */
    FASTER("is faster", "confirmed faster"),
    FAILS_MORE("fails more", "confirmed to fail more");

    private final String predicate;
    private final String choice;

    NoticeKind(String predicate, String choice) {
        this.predicate = predicate;
        this.choice = choice;
    }

    /** What a sentence says of the build: "is slower". */
    public String predicate() {
        return predicate;
    }

    /** What people choose by it: "confirmed slower". */
    public String choice() {
        return choice;
    }
}
