package dev.loomboard.machine;

import dev.loomboard.web.Page;
import java.time.Instant;
import java.util.List;

/** Every machine that the visitor may see. */
public record MachineListPage(List<MachineView.Summary> machines, Instant now) implements Page {
    public MachineListPage {
        machines = List.copyOf(machines);
    }

    /** Those that may still measure. */
    public List<MachineView.Summary> inUse() {
        return machines.stream().filter(machine -> !machine.agent().revoked()).toList();
    }

    /** Those that measured once, whose histories stay. */
    public List<MachineView.Summary> retired() {
        return machines.stream().filter(machine -> machine.agent().revoked()).toList();
    }

    @Override
    public String template() {
        return "machine/list.jte";
    }
}
