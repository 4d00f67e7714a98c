package dev.loomboard.machine;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.time.Instant;

/**
 * One machine.
 *
 * @param owner whether the visitor may change it
 * @param form on it that was refused; else an empty one
 */
public record MachinePage(MachineView machine, Instant now, boolean owner, FormState form) implements Page {
    @Override
    public String template() {
        return "machine/machine.jte";
    }
}
