package dev.loomboard.retraction;

import dev.loomboard.retracted.Version;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that was ever retracted.
 *
 * @param retractions the newest first
 * @param form to retract; null: the caller may not
 * @param administrator whether the caller may withdraw, too
 * @param refused a withdrawal as it was typed, and of which; null: none was refused
 * @param versions of the newest results: what may be retracted by a click
 */
public record RetractionsPage(
        List<Retraction> retractions,
        @Nullable FormState form,
        boolean administrator,
        @Nullable Refused refused,
        List<Version> versions)
        implements Page {

    record Refused(String id, FormState form) {}

    public record Twin(List<Retraction> retractions) implements PageTwin {}

    Twin twin() {
        return new Twin(retractions);
    }

    public List<Retraction> standing() {
        return retractions.stream().filter(Retraction::stands).toList();
    }

    public List<Retraction> withdrawn() {
        return retractions.stream().filter(r -> !r.stands()).toList();
    }

    /** Of a withdrawal: what was typed, or nothing yet. */
    public FormState withdrawal(Retraction of) {
        return refused != null && refused.id().equals(of.id()) ? refused.form() : FormState.with(java.util.Map.of());
    }

    @Override
    public String template() {
        return "retraction/retractions.jte";
    }
}
