package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a measured step was one of warm code, whatever came before it. Its JSON is the wire's Warmth.
 *
 * @param step ordinal
 * @param criterion such as step/3
 * @param hitsBefore answered on the step's route before it began
 * @param collections within the step; null: not counted
 * @param threadSeconds null: not measured
 * @param unmet why it was not warm; empty: it was
 * @param unsteady why its times are not those of one level; empty: they are, or it was judged by step/2, which has that in unmet
 */
public record Warmth(
        int step,
        String criterion,
        long hitsBefore,
        @Nullable Long collections,
        @Nullable ThreadSeconds threadSeconds,
        List<String> unmet,
        List<String> unsteady)
        implements Checked {

    public Warmth {
        unsteady = unsteady == null ? List.of() : List.copyOf(unsteady); // before step/3 there was none
    }

    @Override
    public void check() {
        FieldChecks.notNegative("step", step);
        FieldChecks.atMost("criterion", criterion, 40);
        FieldChecks.notNegative("hitsBefore", hitsBefore);
        FieldChecks.notNegative("collections", collections);
        FieldChecks.list("unmet", unmet, 20);
        unmet.forEach(why -> FieldChecks.atMost("unmet", why, 500));
        FieldChecks.list("unsteady", unsteady, 20);
        unsteady.forEach(why -> FieldChecks.atMost("unsteady", why, 500));
    }

    /** Null: it was warm. */
    public @Nullable String reason() {
        return unmet.isEmpty() ? null : String.join("; ", unmet);
    }

    /** Why its times may not be judged; null: they may. */
    public @Nullable String drift() {
        return unsteady.isEmpty() ? null : String.join("; ", unsteady);
    }

    /**
     * The server's CPU time within the step by class of thread, in seconds.
     *
     * @param app all but the JVM's own threads, carriers of virtual threads too
     * @param vm the JVM's other threads; Serial collects in one of them
     * @param other of threads that ended within the step
     */
    public record ThreadSeconds(double app, double jit, double gc, double vm, double other) implements Checked {
        @Override
        public void check() {
            FieldChecks.finite("app", app);
            FieldChecks.finite("jit", jit);
            FieldChecks.finite("gc", gc);
            FieldChecks.finite("vm", vm);
            FieldChecks.finite("other", other);
        }

        public double all() {
            return app + jit + gc + vm + other;
        }
    }
}
