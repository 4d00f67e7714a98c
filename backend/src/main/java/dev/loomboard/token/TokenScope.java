package dev.loomboard.token;

import dev.loomboard.kernel.Caller;
import java.util.Optional;
import java.util.stream.Stream;

/** What an API token may do in its workspace; the route table asks for them by name. */
public enum TokenScope {
    READ("read", "read what is private in the workspace; every token may"),
    RUN_WRITE("run:write", "queue runs"),
    MACHINE_REGISTER("machine:register", "register machines"),
    SCHEDULE_WRITE("schedule:write", "make, change, pause, resume and run schedules"),
    ADMIN(Caller.Token.ADMIN, "all of these, let machines drain, retire machines, read the audit log");

    private final String wire;
    private final String words;

    TokenScope(String wire, String words) {
        this.wire = wire;
        this.words = words;
    }

    /** As tables and the route table write it. */
    public String wire() {
        return wire;
    }

    /** What it allows, for people. */
    public String words() {
        return words;
    }

    static Optional<TokenScope> find(String wire) {
        return Stream.of(values()).filter(scope -> scope.wire.equals(wire)).findFirst();
    }
}
