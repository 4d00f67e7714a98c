package dev.loomboard.machine;

import dev.loomboard.web.Page;
import java.time.Instant;

/**
 * One machine.
 *
 * @param owner whether the visitor may change it
 * @param cover why others may not see it
 */
public record MachinePage(MachineView machine, Instant now, boolean owner, Cover cover) implements Page {
    @Override
    public String template() {
        return "machine/machine.jte";
    }
}
