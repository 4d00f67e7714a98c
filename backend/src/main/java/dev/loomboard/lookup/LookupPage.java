package dev.loomboard.lookup;

import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search found.
 *
 * @param asked empty: nothing yet
 * @param found of each kind the {@link LookupStore#MOST} best
 */
public record LookupPage(String asked, List<Found> found) implements Page, PageTwin {

    public LookupPage {
        found = List.copyOf(found);
    }

    /** Those of which something was found. */
    public List<Found.Kind> kinds() {
        return Arrays.stream(Found.Kind.values())
                .filter(kind -> !of(kind).isEmpty())
                .toList();
    }

    public List<Found> of(Found.Kind kind) {
        return found.stream().filter(one -> one.kind() == kind).toList();
    }

    @Override
    public String template() {
        return "lookup/lookup.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "lookup/_found.jte";
    }
}
