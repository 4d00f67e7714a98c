package dev.loomboard.web.request;

/** The order in which a request passes the filters. Spring Security's chain, which asks the route table, is at -100. */
public final class FilterOrder {

    static final int HEADERS = -400;

    public static final int BODY = -300;
    /** Finds out who calls. */
    public static final int CALLER = -200;

    /** As soon as the caller is known, who has an allowance. */
    public static final int REQUESTS = -198;

    /** The caller is known; filters and controllers that answer come later. */
    public static final int ANSWER = -197;

    /** Before what counts an answer's bytes: those that are sent. */
    static final int COMPRESSION = -196;

    /** After the caller is known, whom a refusal's page names; before anybody reads a form. */
    static final int TEXT = -180;

    static final int FORM_TOKEN = -150;

    private FilterOrder() {}
}
