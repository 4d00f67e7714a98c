package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;

/** Who spoke HTTP in a step, and which version of it. Its JSON is the wire's Step.sentBy. */
public record SentBy(Transport transport, Http http) {

    public SentBy {
        FieldChecks.present("transport", transport);
        FieldChecks.present("http", http);
    }

    /** Such as "the agent's lean transport, HTTP/1.1". */
    public String words() {
        return (transport == Transport.LEAN ? "the agent's lean transport" : "the standard client of Go") + ", HTTP/"
                + http.wire();
    }

    /** The agent's own for plain HTTP/1.1, or the standard client of its language. */
    public enum Transport implements WireName {
        LEAN,
        STANDARD
    }

    public enum Http implements WireName {
        HTTP_1_1("1.1"),
        HTTP_2("2");

        private final String wire;

        Http(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }
}
