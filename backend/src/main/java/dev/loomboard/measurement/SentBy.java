package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who spoke HTTP in a step, and which version of it. Its JSON is the wire's Step.sentBy. */
public record SentBy(Transport transport, Http http) {

    public SentBy {
        Check.present("transport", transport);
        Check.present("http", http);
    }

    /** The agent's own for plain HTTP/1.1, or the standard client of its language. */
    public enum Transport {
        @JsonProperty("lean")
        LEAN("lean"),
        @JsonProperty("standard")
        STANDARD("standard");

        private final String wire;

        Transport(String wire) {
            this.wire = wire;
        }

        /** As the wire and the tables write it. */
        public String wire() {
            return wire;
        }
    }

    public enum Http {
        @JsonProperty("1.1")
        HTTP_1_1("1.1"),
        @JsonProperty("2")
        HTTP_2("2");

        private final String wire;

        Http(String wire) {
            this.wire = wire;
        }

        /** As the wire and the tables write it. */
        public String wire() {
            return wire;
        }
    }
}
