package dev.loomboard.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.web.Page;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs, newest first. @param older where the next page is; null: this is the last */
public record RunListPage(
        List<Row> runs,
        @Nullable String older,
        @JsonIgnore @Nullable String newer) implements Page {

    /** @param invalid trials that are done but whose generator was spoilt: never ranked */
    public record Row(
            String id,
            String workspace,
            String title,
            String state,
            String visibility,
            String machineSlug,
            String machineName,
            Instant createdAt,
            @Nullable Instant finishedAt,
            int trials,
            int done,
            int invalid,
            int failed,
            int aborted) {}

    @Override
    public String template() {
        return "run/runs.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "run/_runs.jte";
    }
}
