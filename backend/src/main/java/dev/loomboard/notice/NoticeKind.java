package dev.loomboard.notice;

import dev.loomboard.kernel.WireName;
import dev.loomboard.web.FormState;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a notice tells; people choose by it what they are told. */
public enum NoticeKind implements WireName {
    /** Any metric of a build but the share of failed requests became worse. */
    SLOWER("is slower", "what is confirmed slower"),
    /** Any metric of a build became better. */
    FASTER("is faster", "what is confirmed faster"),
    FAILS_MORE("fails more", "what is confirmed to fail more"),
    /** An alarm: a schedule has no result for longer than its owners allow. */
    NIGHT_MISSED("has had no result", "schedules that have no result"),
    /** An alarm: something waits for a machine that is not heard of. */
    MACHINE_AWAY("has been away", "machines that are away");

    private final String predicate;
    private final String choice;

    NoticeKind(String predicate, String choice) {
        this.predicate = predicate;
        this.choice = choice;
    }

    /** Those that a form names in its field {@code kind}. */
    public static Set<NoticeKind> chosen(FormState form) {
        return Stream.of(values()).filter(kind -> form.is("kind", kind.wire())).collect(Collectors.toUnmodifiableSet());
    }

    /** What a sentence says of the build, schedule or machine: "is slower". */
    public String predicate() {
        return predicate;
    }

    /** What people choose by it: "what is confirmed slower". */
    public String choice() {
        return choice;
    }
}
