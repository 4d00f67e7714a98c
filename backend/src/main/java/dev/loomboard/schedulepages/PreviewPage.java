package dev.loomboard.schedulepages;

import dev.loomboard.cron.Preview;
import dev.loomboard.web.Page;

/** The next firings of what stands in the form: a part of it. */
public record PreviewPage(Preview preview) implements Page {
    @Override
    public String template() {
        return "schedule/_preview.jte";
    }
}
