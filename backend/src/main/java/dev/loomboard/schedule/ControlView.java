package dev.loomboard.schedule;

import dev.loomboard.jdk.JdkBuild;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule's control as its page shows it.
 *
 * @param choice what the next run has; null: it is off, or nothing can be measured now
 * @param builds that its owners may name
 */
public record ControlView(
        Schedule.Control control, @Nullable ControlChoice choice, List<JdkBuild> builds) {

    static final String OFF =
            "Without a control, no nightly screening runs, and a slowdown of the host can look like a slowdown of a build.";

    public ControlView {
        builds = List.copyOf(builds);
    }

    /** What the next run has, and its cost. */
    public String sentence() {
        if (!control.on()) {
            return OFF;
        }
        return choice == null
                ? "Nothing can be measured on the machine as it is now, so there is no control."
                : choice.sentence();
    }

    /** Why it is that build; null: nothing was chosen yet. */
    public @Nullable String note() {
        return control.on() ? control.note() : null;
    }
}
