package dev.loomboard.web;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Membership;
import dev.loomboard.kernel.Right;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What every page needs besides its own record: who looks, from where, and the token its forms must carry. */
public final class PageContext {

    /** Names in a query that make another page of it: what is shown, and what is compared. */
    private static final Set<String> IDENTITY = Set.of("scenario", "axis", "a", "b");

    private final Caller caller;
    private final String path;
    private final String site;
    private final boolean htmx;
    private final Supplier<String> formToken;

    /**
     * @param site address of the service that its owner configured, such as {@code https://loomboard.example.org}; empty: none
     * @param formToken asked only by pages with a form, because it may set a cookie
     */
    public PageContext(Caller caller, String path, String site, boolean htmx, Supplier<String> formToken) {
        this.caller = caller;
        this.path = path;
        this.site = site;
        this.htmx = htmx;
        this.formToken = formToken;
    }

    public Caller caller() {
        return caller;
    }

    /** Path and query of the request. */
    public String path() {
        return path;
    }

    /** The address by which search engines are to know the page: a filter, an order or a part of it is no page of its own. */
    public String canonical() {
        int query = path.indexOf('?');
        if (query < 0) {
            return path;
        }
        String kept = Arrays.stream(path.substring(query + 1).split("&"))
                .filter(choice -> IDENTITY.contains(choice.replaceFirst("=.*", "")))
                .collect(Collectors.joining("&"));
        return path.substring(0, query) + (kept.isEmpty() ? "" : "?" + kept);
    }

    /** The picture that goes with a shared link; null: the service does not know its own address, which such a picture must have. */
    public @Nullable String picture() {
        return site.isEmpty() ? null : site + FrontEnd.file("social.png");
    }

    /** An address on this service, in full where the service knows its own; for pictures, which leave it. */
    public String address(String path) {
        return site + path;
    }

    /** True when htmx asks for a part of the page (a boosted link or a history restore wants the whole). */
    public boolean htmx() {
        return htmx;
    }

    /** The same, for an answer that must be a whole page for every request. */
    public PageContext whole() {
        return new PageContext(caller, path, site, false, formToken);
    }

    /** The same, for an answer that others are given too: a token in it would be everybody's. */
    PageContext forAnybody() {
        return new PageContext(caller, path, site, htmx, () -> {
            throw new IllegalStateException("a page that is kept for everybody has a form with a token: " + path);
        });
    }

    /** The hidden field {@code _csrf} of every form, and the header {@code X-Csrf-Token} of htmx. */
    public String formToken() {
        return formToken.get();
    }

    /** The {@code hx-headers} of the body: htmx sends the form token with every request; null before sign-in. */
    public @Nullable String htmxHeaders() {
        return caller instanceof Caller.Person ? "{\"" + FormToken.HEADER + "\":\"" + formToken() + "\"}" : null;
    }

    public @Nullable String signedInName() {
        return caller instanceof Caller.Person person ? person.name() : null;
    }

    public boolean administrator() {
        return caller instanceof Caller.Person person && person.administrator();
    }

    /** True when the caller is a person who has the right in a workspace, whichever. */
    public boolean mayAnywhere(Right right) {
        return caller instanceof Caller.Person person && person.mayAnywhere(right);
    }

    /** The caller's workspaces, the chosen one first. */
    public List<Membership> memberships() {
        return caller instanceof Caller.Person person ? person.memberships() : List.of();
    }
}
