package dev.loomboard.schedulepages;

import dev.loomboard.cron.Preview;
import dev.loomboard.schedule.NightForecast;
import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/**
 * What would come of what stands in the form: a part of it.
 *
 * @param preview its next firings
 * @param night what each would run; null: it names no matrix and machine yet
 */
public record PreviewPage(Preview preview, @Nullable NightForecast night) implements Page {
    @Override
    public String template() {
        return "schedule/_preview.jte";
    }
}
