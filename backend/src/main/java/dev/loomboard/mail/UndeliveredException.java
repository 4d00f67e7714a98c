package dev.loomboard.mail;

import java.io.Serial;

/** A mail was not sent, or it is not known whether it was; the message says why, for people. */
public final class UndeliveredException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final boolean forGood;

    UndeliveredException(String why, boolean forGood) {
        super(why);
        this.forGood = forGood;
    }

    /** It would not be taken later either. */
    public boolean forGood() {
        return forGood;
    }
}
