package dev.loomboard.hiding;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What administrators hid.
 *
 * @param form to hide; null: the caller may not
 */
public record HidingsPage(List<Hiding> hidings, @Nullable FormState form) implements Page {

    public record Twin(List<Hiding> hidings) implements PageTwin {}

    Twin twin() {
        return new Twin(hidings);
    }

    @Override
    public String template() {
        return "hiding/hidings.jte";
    }
}
