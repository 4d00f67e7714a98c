package dev.loomboard.kernel;

/**
 * Who is told what is said on one of PostgreSQL's channels. A trigger says it, and it is heard when the transaction is committed,
 * whichever replica or agent made it. Calls come one after another, on the thread that reads the connection: they must not wait.
 */
public interface DatabaseListener {

    /** A name that is an identifier of SQL as it stands. */
    String channel();

    /** Listening begins, or begins again: anything may have been said before. */
    void begins();

    void says(String text);

    /** Nothing is heard from here on, until listening begins again. */
    void ends();
}
