package dev.loomboard.notice;

import dev.loomboard.kernel.WireName;
import dev.loomboard.web.FormState;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** Those that a form names in its field {@code kind}. */
    public static Set<NoticeKind> chosen(FormState form) {
        return Stream.of(values()).filter(kind -> form.is("kind", kind.wire())).collect(Collectors.toUnmodifiableSet());
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
