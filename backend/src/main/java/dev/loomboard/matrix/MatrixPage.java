package dev.loomboard.matrix;

import dev.loomboard.machine.MachineView;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.time.Duration;
import java.util.List;

/**
 * One matrix, and the form that runs it now.
 *
 * @param owner whether the visitor may change it
 * @param machines the visitor's own, on which it may be run
 * @param warnings for who may change it: which selectors match no build of the workspace's machines
 */
public record MatrixPage(
        Matrix matrix, boolean owner, List<MachineView.Summary> machines, List<String> warnings, FormState form)
        implements Page {
    public MatrixPage {
        warnings = List.copyOf(warnings);
        machines = List.copyOf(machines);
    }

    @Override
    public String template() {
        return "matrix/matrix.jte";
    }

    /** How long every JDK build takes, at most and roughly. */
    public Duration perJdk() {
        return Duration.ofSeconds(Math.round(matrix.spec().longestSecondsPerJdk()));
    }
}
