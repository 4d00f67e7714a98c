package dev.loomboard.runpages;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.machine.MachineView;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs, newest first.
 *
 * @param machines that runs can be asked for of
 * @param older where the next page is; null: this is the last
 */
public record RunListPage(
        RunFilter filter,
        List<MachineView.Summary> machines,
        List<Row> runs,
        @Nullable String older,
        @Nullable String newer)
        implements Page {

    public record Row(
            String id,
            String workspace,
            String title,
            RunState state,
            Visibility visibility,
            String machineSlug,
            String machineName,
            Instant createdAt,
            @Nullable Instant finishedAt,
            boolean imported,
            @JsonUnwrapped TrialCounts counts) {}

    public record Twin(List<Row> runs, @Nullable String older) implements PageTwin {}

    Twin twin() {
        return new Twin(runs, older);
    }

    @Override
    public String template() {
        return "run/runs.jte";
    }
}
