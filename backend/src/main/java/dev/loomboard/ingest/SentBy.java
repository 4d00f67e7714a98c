package dev.loomboard.ingest;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who spoke HTTP in a step, and which version of it. Its JSON is the wire's Step.sentBy. */
record SentBy(Transport transport, Http http) {

    SentBy {
        Check.present("transport", transport);
        Check.present("http", http);
    }

    /** The agent's own for plain HTTP/1.1, or the standard client of its language. */
    enum Transport {
        @JsonProperty("lean")
        LEAN("lean"),
        @JsonProperty("standard")
        STANDARD("standard");

        private final String wire;

        Transport(String wire) {
            this.wire = wire;
        }

        /** As the wire and the tables write it. */
        String wire() {
            return wire;
        }
    }

    enum Http {
        @JsonProperty("1.1")
        HTTP_1_1("1.1"),
        @JsonProperty("2")
        HTTP_2("2");

        private final String wire;

        Http(String wire) {
            this.wire = wire;
        }

        /** As the wire and the tables write it. */
        String wire() {
            return wire;
        }
    }
}
