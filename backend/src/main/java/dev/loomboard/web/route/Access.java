package dev.loomboard.web.route;

import dev.loomboard.kernel.Caller;

/** Who may use a route at all. Whose rows they then see is decided by every store's query. */
public sealed interface Access {

    Access ANYONE = new Anyone();
    Access PERSON = new PersonOnly();
    Access AGENT = new AgentOnly();
    Access MONITOR = new MonitorOnly();
    /** Anyone whose path has a signature of ours: that proves the change as no form token can, which a mail program does not have. */
    Access SIGNED_LINK = new SignedLink();

    /** An API token that carries the scope, or that of an administrator. */
    static Access token(Caller.TokenScope scope) {
        return new TokenWith(scope);
    }

    boolean admits(Caller caller);

    record Anyone() implements Access {
        @Override
        public boolean admits(Caller caller) {
            return true;
        }
    }

    record SignedLink() implements Access {
        @Override
        public boolean admits(Caller caller) {
            return true;
        }
    }

    record PersonOnly() implements Access {
        @Override
        public boolean admits(Caller caller) {
            return caller instanceof Caller.Person;
        }
    }

    record AgentOnly() implements Access {
        @Override
        public boolean admits(Caller caller) {
            return caller instanceof Caller.Agent;
        }
    }

    record MonitorOnly() implements Access {
        @Override
        public boolean admits(Caller caller) {
            return caller instanceof Caller.Monitor;
        }
    }

    record TokenWith(Caller.TokenScope scope) implements Access {
        @Override
        public boolean admits(Caller caller) {
            return caller instanceof Caller.Token token && token.has(scope);
        }
    }
}
