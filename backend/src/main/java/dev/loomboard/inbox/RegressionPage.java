package dev.loomboard.inbox;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.artefact.FlameDifference;
import dev.loomboard.artefact.Flames;
import dev.loomboard.bisection.BisectionPlan;
import dev.loomboard.bisection.BisectionView;
import dev.loomboard.jdkflags.FlagChanges;
import dev.loomboard.outbox.IssueText;
import dev.loomboard.regression.DefaultRerun;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.TriageState;
import dev.loomboard.shift.Difference;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Problem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One change.
 *
 * @param events what people said of it, the newest first
 * @param sides what is known of trials on both builds; empty: of one build nothing is
 * @param flames where the CPU time of their diagnostic trials went; null: of a build nothing is known
 * @param defaults the default flags that differ between its builds; null: no machine that the caller may see has read those of both
 * @param defaultReruns of both builds with defaults as before, in the order in which they were asked for
 * @param blame what it points to; empty until it is a confirmed regression
 * @param issue the same for a tracker of issues; null: it is not confirmed, or retracted
 * @param bisection the newest; null: none was made, or the caller may not see it
 * @param plan what one would cost; null: it is no regression
 * @param members who may look after it; empty: the caller may not say so
 * @param mayLookInto whether the caller may start a rerun or bisection of it
 */
public record RegressionPage(
        Regression regression,
        List<Event> events,
        Map<String, Side> sides,
        @Nullable Flames flames,
        @Nullable FlagChanges defaults,
        List<DefaultRerun> defaultReruns,
        List<String> blame,
        @Nullable IssueText issue,
        @Nullable BisectionView bisection,
        @Nullable BisectionPlan plan,
        List<Member> members,
        FormState form,
        boolean mayTriage,
        boolean mayLookInto)
        implements Page {

    /**
     * @param was its state before
     * @param becomes the same: a note, or another owner
     */
    public record Event(
            Instant at,
            String who,
            TriageState was,
            TriageState becomes,
            @Nullable String owner,
            String note) {

        public String words() {
            String state = was == becomes ? "stays " + becomes.wire() : was.wire() + " → " + becomes.wire();
            return owner == null ? state : state + ", assigned to " + owner;
        }
    }

    /** @param id external id of the account */
    public record Member(String id, String name) {}

    /**
     * @param cell external id
     * @param flags of the JVM of a scored trial
     * @param diagnostic external id of a diagnostic trial; null: there is none
     * @param counts what that counted, by metric
     */
    record Side(
            String cell,
            Map<String, String> flags,
            @Nullable String diagnostic,
            Map<String, Double> counts) {

        static final Side UNKNOWN = new Side("", Map.of(), null, Map.of());
    }

    public record Twin(
            @JsonUnwrapped Regression regression,
            List<Event> events,
            List<String> blame,
            @Nullable BisectionView bisection,
            @Nullable BisectionPlan plan,
            List<Difference> counts,
            List<FlameDifference.Method> cpuShares,
            List<Difference> flags,
            @Nullable FlagChanges defaults,
            List<DefaultRerun> defaultReruns)
            implements PageTwin {}

    Twin twin() {
        return new Twin(
                regression, events, blame, bisection, plan, counts(), cpuShares(), flags(), defaults, defaultReruns);
    }

    static final String GOOD = "good";
    static final String BUILD = "build";

    /** Flags that differ; empty: none does, or nothing is known of a side. */
    public List<Difference> flags() {
        return flagsKnown()
                ? Difference.all(side(GOOD).flags(), side(BUILD).flags()).stream()
                        .filter(Difference::differs)
                        .toList()
                : List.of();
    }

    public boolean flagsKnown() {
        return !side(GOOD).flags().isEmpty() && !side(BUILD).flags().isEmpty();
    }

    /** What the diagnostic trial of each side counted; of one each, so it is shown and not judged. */
    public List<Difference> counts() {
        return diagnostic(GOOD) == null || diagnostic(BUILD) == null
                ? List.of()
                : Difference.ofCounts(side(GOOD).counts(), side(BUILD).counts());
    }

    /** Methods whose own share of the CPU samples differs most; empty: stacks of a side are missing. */
    public List<FlameDifference.Method> cpuShares() {
        return flames == null || flames.difference() == null
                ? List.of()
                : flames.difference().largest();
    }

    public @Nullable String diagnostic(String side) {
        return side(side).diagnostic();
    }

    private Side side(String name) {
        return sides.getOrDefault(name, Side.UNKNOWN);
    }

    RegressionPage refused(List<Problem.FieldError> problems) {
        return new RegressionPage(
                regression,
                events,
                sides,
                flames,
                defaults,
                defaultReruns,
                blame,
                issue,
                bisection,
                plan,
                members,
                form.refused(problems),
                mayTriage,
                mayLookInto);
    }

    /** Whether the caller may have both builds measured again with changed defaults as before. */
    public boolean mayAskOfDefaults() {
        return mayLookInto && regression.shownByRerun() != null && !revertible().isEmpty();
    }

    /** The changed defaults that can be set to what they were. */
    public List<FlagChanges.Change> revertible() {
        return defaults == null
                ? List.of()
                : defaults.revertible(!regression.cell().settings().defaults());
    }

    public List<TriageState> states() {
        return List.of(TriageState.values());
    }

    @Override
    public String template() {
        return "inbox/regression.jte";
    }
}
