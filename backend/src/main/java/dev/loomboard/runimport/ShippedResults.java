package dev.loomboard.runimport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of the folder of results that ship.
 *
 * @param files bundles in it
 * @param present runs that the workspace has of these, imported now or before
 * @param problems a sentence for each that it has not
 */
record ShippedResults(int files, int present, List<String> problems) {

    static final ShippedResults NONE = new ShippedResults(0, 0, List.of());

    ShippedResults {
        problems = List.copyOf(problems);
    }

    /** @param problem null: the workspace has its run */
    ShippedResults with(@Nullable String problem) {
        List<String> all = new ArrayList<>(problems);
        if (problem != null) {
            all.add(problem);
        }
        return new ShippedResults(files + 1, present + (problem == null ? 1 : 0), all);
    }
}
