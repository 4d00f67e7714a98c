package dev.loomboard.inbox;

import dev.loomboard.cell.Jdk;
import dev.loomboard.outbox.IssueText;
import dev.loomboard.outbox.ToldBuild;
import dev.loomboard.regression.CauseSummary;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.RegressionFilter;
import dev.loomboard.regression.TriageState;
import dev.loomboard.view.Filter;
import dev.loomboard.view.Query;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The inbox.
 *
 * @param groups confirmed regressions by the build they came with, the newest decision first
 * @param issue what the one build that was asked for brought, for a tracker of issues; null: none was asked for, or it brought none
 * @param suspects not confirmed
 * @param improvements confirmed
 * @param cleared only when they are asked for
 * @param retracted measured with what was found wrong; only when they are asked for
 * @param cut there are more than are shown
 */
public record RegressionsPage(
        Query query,
        List<Filter> filters,
        List<Group> groups,
        @Nullable IssueText issue,
        List<Regression> suspects,
        List<Regression> improvements,
        List<Regression> cleared,
        List<Regression> retracted,
        boolean cut)
        implements Page {

    /** @param blame what they point to, in sentences */
    public record Group(Jdk build, List<String> blame, List<Regression> regressions) {

        public long open() {
            return regressions.stream()
                    .filter(r -> r.triaged().triage() == TriageState.OPEN)
                    .count();
        }
    }

    public record Twin(
            List<Group> groups,
            List<Regression> suspects,
            List<Regression> improvements,
            List<Regression> cleared,
            List<Regression> retracted,
            boolean cut)
            implements PageTwin {}

    Twin twin() {
        return new Twin(groups, suspects, improvements, cleared, retracted, cut);
    }

    /**
     * @param found of each kind the newest first, one more than are shown when there are more
     * @param site scheme, host and port
     */
    static RegressionsPage of(List<List<Regression>> found, RegressionFilter asked, Query query, String site) {
        boolean cut = found.stream().anyMatch(kind -> kind.size() > asked.limit());
        List<Regression> shown = found.stream()
                .flatMap(kind -> kind.stream().limit(asked.limit()))
                .toList();
        List<Regression> active =
                shown.stream().filter(r -> r.retracted() == null).toList();
        List<Group> groups =
                groups(active.stream().filter(Regression::regression).toList());
        return new RegressionsPage(
                query,
                filters(shown, asked, query),
                groups,
                asked.jdk() == null || groups.size() != 1
                        ? null
                        : IssueText.of(ToldBuild.of(groups.getFirst().regressions()), site),
                active.stream().filter(r -> r.state().suspected()).toList(),
                active.stream()
                        .filter(r -> r.state().confirmed() && !r.state().worse())
                        .toList(),
                active.stream().filter(r -> r.state().cleared()).toList(),
                shown.stream().filter(r -> r.retracted() != null).toList(),
                cut);
    }

    static Query query(String path, Map<String, String> parameters) {
        Map<String, String> values = new TreeMap<>();
        for (String name : List.of("state", "machine", "jdk", "rerun")) {
            String value = parameters.get(name);
            if (value != null && !value.isEmpty()) {
                values.put(name, value);
            }
        }
        return new Query(path, values);
    }

    private static List<Group> groups(List<Regression> regressions) {
        Map<String, List<Regression>> builds = new LinkedHashMap<>();
        regressions.forEach(r -> builds.computeIfAbsent(r.build().slug(), slug -> new ArrayList<>())
                .add(r));
        return builds.values().stream()
                .map(of -> new Group(
                        of.getFirst().build(),
                        CauseSummary.sentences(of),
                        of.stream()
                                .sorted(Comparator.comparing(r -> r.triaged().triage()))
                                .toList()))
                .toList();
    }

    private static List<Filter> filters(List<Regression> shown, RegressionFilter asked, Query query) {
        return List.of(
                filter(
                        query,
                        "state",
                        RegressionFilter.STATES,
                        asked.state() == null ? null : asked.state().wire()),
                filter(query, "machine", values(shown, r -> r.cell().machine(), asked.machine()), asked.machine()),
                filter(query, "jdk", values(shown, r -> r.build().slug(), asked.jdk()), asked.jdk()),
                filter(query, "rerun", asked.rerun() == null ? List.of() : List.of(asked.rerun()), asked.rerun()));
    }

    private static List<String> values(
            List<Regression> shown, Function<Regression, String> of, @Nullable String chosen) {
        return chosen != null
                ? List.of(chosen)
                : shown.stream().map(of).distinct().sorted().toList();
    }

    private static Filter filter(Query query, String name, List<String> values, @Nullable String chosen) {
        return new Filter(
                name.equals("jdk") ? "JDK" : name,
                values.stream()
                        .map(v -> new Filter.Choice(v, query.with(name, v), v.equals(chosen)))
                        .toList(),
                query.with(name, null));
    }

    public boolean isEmpty() {
        return groups.isEmpty()
                && suspects.isEmpty()
                && improvements.isEmpty()
                && cleared.isEmpty()
                && retracted.isEmpty();
    }

    public boolean filtered() {
        return !query.values().isEmpty();
    }

    @Override
    public String template() {
        return "inbox/regressions.jte";
    }
}
