package dev.loomboard.artefact;

import dev.loomboard.kernel.FieldChecks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Live objects before and after the measured load. Its JSON is the wire's Classes.
 *
 * @param before all classes; null, as everywhere here: not measured
 * @param omitted classes that are not listed
 */
public record Classes(
        String schema, @Nullable Size before, @Nullable Size after, List<Row> classes, int omitted) {

    static final String SCHEMA = "loomboard.classes/1";

    private static final int MOST_ROWS = 1000;
    private static final int LONGEST_NAME = 4000;

    public Classes {
        FieldChecks.oneOf("schema", schema, List.of(SCHEMA));
        classes = FieldChecks.list("classes", classes, MOST_ROWS);
        FieldChecks.between("omitted", omitted, 0, Integer.MAX_VALUE);
    }

    /** @param bytes without what they refer to */
    public record Size(long instances, long bytes) {
        public Size {
            if (instances < 0 || bytes < 0) {
                throw new IllegalArgumentException(
                        "instances and bytes must not be negative, are: " + instances + ", " + bytes);
            }
        }
    }

    public record Row(
            String name, @Nullable Size before, @Nullable Size after) {
        public Row {
            FieldChecks.text("name", name, LONGEST_NAME);
        }
    }
}
