package dev.loomboard.credential;

/**
 * What a form asks of somebody who is signed in, before what nobody may do who only found the browser open.
 *
 * @param provider who may prove people that have no password; blank: nobody, a password must be set first
 */
public record ProofAsked(Way way, String provider) {

    /** How they prove it. */
    public enum Way {
        /** By the password. */
        PASSWORD,
        /** They have none: by going to the provider, or by setting one. */
        PROVIDER,
        /** They have none, and the provider proved them for this session just now. */
        NOTHING
    }

    /** True when the form can be sent: nothing has to be done elsewhere first. */
    public boolean answerable() {
        return way != Way.PROVIDER;
    }

    public boolean password() {
        return way == Way.PASSWORD;
    }

    public boolean byProvider() {
        return !provider.isBlank();
    }
}
