package dev.loomboard.webhook;

import dev.loomboard.kernel.WireName;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A webhook as an owner typed it. */
record NewWebhook(String name, String url, BodyForm form, Set<NoticeKind> kinds) {

    static final int LONGEST_NAME = 80;
    static final int LONGEST_URL = 500;
    private static final int MOST_PORT = 65_535;

    /** What the form begins with. */
    static FormState blank() {
        return new FormState(
                Map.of(
                        "kind",
                        List.of(
                                NoticeKind.SLOWER.wire(),
                                NoticeKind.FAILS_MORE.wire(),
                                NoticeKind.NIGHT_MISSED.wire(),
                                NoticeKind.MACHINE_AWAY.wire()),
                        "body",
                        List.of("json")),
                List.of());
    }

    static List<FieldError> problems(FormState form, WebhookReach reach) {
        List<FieldError> problems = new ArrayList<>();
        String name = form.value("name").strip();
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            problems.add(new FieldError("name", "must have 1 to " + LONGEST_NAME + " characters"));
        }
        String wrong = wrong(form.value("url").strip(), reach);
        if (wrong != null) {
            problems.add(new FieldError("url", wrong));
        }
        if (WireName.find(BodyForm.class, form.value("body")).isEmpty()) {
            problems.add(new FieldError("body", "must be one of " + WireName.choices(BodyForm.class)));
        }
        if (NoticeKind.chosen(form).isEmpty()) {
            problems.add(new FieldError("kind", "must be at least one: without any nothing is sent"));
        }
        return problems;
    }

    /** Of a form without problems. */
    static NewWebhook of(FormState form) {
        return new NewWebhook(
                form.value("name").strip(),
                form.value("url").strip(),
                WireName.of(BodyForm.class, form.value("body")),
                NoticeKind.chosen(form));
    }

    /** What is wrong with an address, as far as it can be told without asking for its host; null: nothing. */
    static @Nullable String wrong(String url, WebhookReach reach) {
        if (url.isEmpty() || url.length() > LONGEST_URL) {
            return "must be an address of 1 to " + LONGEST_URL + " characters";
        }
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            return "must be an address such as https://example.org/hook";
        }
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        if (!secure && !(reach == WebhookReach.ANYWHERE && "http".equalsIgnoreCase(uri.getScheme()))) {
            return "must begin with https://";
        }
        if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > MOST_PORT) {
            return "must name a host, and a port from 1 to 65535 if any";
        }
        if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            return "must have no user and no #";
        }
        return reach == WebhookReach.PUBLIC
                        && literal(uri.getHost())
                                .filter(address -> !PublicAddress.is(address))
                                .isPresent()
                ? "must lead to a public address"
                : null;
    }

    /** The address that a host is, without asking anybody; empty: it is a name. */
    static Optional<InetAddress> literal(String host) {
        try {
            return Optional.of(
                    InetAddress.ofLiteral(host.startsWith("[") ? host.substring(1, host.length() - 1) : host));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
