package dev.loomboard.server.micronaut;

import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A row of the workload {@code fortunes}. */
@Serdeable.Serializable
record Fortune(int id, String message) {

    static final String SELECT = "select id, message from fortune";

    private static final Fortune OWN = new Fortune(0, "The one that no database knows");

    /** The rows and one of the server's own, by message. */
    static List<Fortune> answer(List<Fortune> rows) {
        List<Fortune> all = new ArrayList<>(rows);
        all.add(OWN);
        all.sort(Comparator.comparing(Fortune::message));
        return all;
    }
}
