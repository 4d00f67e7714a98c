package dev.loomboard.machine;

import dev.loomboard.web.Page;
import java.time.Instant;
import java.util.List;

/** Every machine that the visitor may see. */
public record MachineListPage(List<MachineView.Summary> machines, Instant now) implements Page {
    public MachineListPage {
        machines = List.copyOf(machines);
    }

    @Override
    public String template() {
        return "machine/list.jte";
    }
}
