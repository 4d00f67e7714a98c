package dev.loomboard.machine;

import dev.loomboard.view.Chart;
import dev.loomboard.visibility.Cover;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.time.Instant;
import java.util.List;

/**
 * One machine.
 *
 * @param charts of its noise; empty: there is nothing to draw
 * @param owner whether the visitor may change it
 * @param form on it that was refused; else an empty one
 * @param cover why others may not see it
 */
public record MachinePage(
        MachineView machine, List<Chart> charts, Instant now, boolean owner, FormState form, Cover cover)
        implements Page {
    public MachinePage {
        charts = List.copyOf(charts);
    }

    @Override
    public String template() {
        return "machine/machine.jte";
    }
}
