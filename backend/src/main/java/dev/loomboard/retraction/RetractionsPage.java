package dev.loomboard.retraction;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.cell.Version;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
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
        @JsonIgnore @Nullable FormState form,
        @JsonIgnore boolean administrator,
        @JsonIgnore @Nullable Refused refused,
        @JsonIgnore List<Version> versions)
        implements Page {

    record Refused(String id, FormState form) {}

    @JsonIgnore
    public List<Retraction> standing() {
        return retractions.stream().filter(Retraction::stands).toList();
    }

    @JsonIgnore
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
