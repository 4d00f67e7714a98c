package dev.loomboard.outbox;

import dev.loomboard.cell.Jdk;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.regression.CauseSummary;
import dev.loomboard.regression.Regression;
import dev.loomboard.view.Format;
import dev.loomboard.web.Urls;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What a build changed, as mails, webhooks and issues say it.
 *
 * @param build first of the new level
 * @param machineClass in words; empty: not known
 * @param changes what changed most first
 * @param pointsTo what the changes together say of the cause, in sentences
 */
public record ToldBuild(
        NoticeKind kind, Jdk build, String machineClass, List<ToldChange> changes, List<String> pointsTo)
        implements Told {

    public ToldBuild {
        changes = List.copyOf(changes);
        pointsTo = List.copyOf(pointsTo);
    }

    /**
     * What some confirmed changes of one build in one direction say, as a page shows them.
     *
     * @param changes not empty
     */
    public static ToldBuild of(List<Regression> changes) {
        return of(changes, changes);
    }

    /**
     * The same of some of them.
     *
     * @param ofBuild all of the build, which point to the cause; empty: none is said
     */
    public static ToldBuild of(List<Regression> changes, List<Regression> ofBuild) {
        ToldBuild told = of(kind(changes), changes.getFirst().build(), "", List.of(), changes);
        return new ToldBuild(
                told.kind,
                told.build,
                told.machineClass,
                told.changes,
                ofBuild.isEmpty() ? List.of() : CauseSummary.sentences(ofBuild));
    }

    /** @param failing what reruns found to fail more, which no history has as a change */
    static ToldBuild of(
            NoticeKind kind, Jdk build, String machineClass, List<ToldChange> failing, List<Regression> changes) {
        return new ToldBuild(
                kind,
                build,
                machineClass,
                Stream.concat(failing.stream(), changes.stream().map(ToldChange::of))
                        .sorted(Comparator.comparingDouble(ToldChange::size).reversed())
                        .toList(),
                changes.isEmpty() ? List.of() : CauseSummary.sentences(changes));
    }

    private static NoticeKind kind(List<Regression> changes) {
        if (changes.stream().noneMatch(change -> change.state().worse())) {
            return NoticeKind.FASTER;
        }
        return changes.stream().allMatch(change -> change.metric().equals("error_ratio"))
                ? NoticeKind.FAILS_MORE
                : NoticeKind.SLOWER;
    }

    /** The builds that it was compared with, each once. */
    public List<Jdk> baselines() {
        return changes.stream().map(ToldChange::good).distinct().toList();
    }

    /** Where it was measured, each once. */
    List<String> machines() {
        return changes.stream()
                .map(change -> change.cell().machine())
                .distinct()
                .toList();
    }

    /** Such as "3 changes of 2 cells". */
    String count() {
        return Format.of(changes.size(), "change") + " of "
                + Format.of(changes.stream().map(ToldChange::cell).distinct().count(), "cell");
    }

    /**
     * Such as "25.0.2+9 temurin is slower than 25.0.1+9 temurin".
     *
     * @param name how the name of a build is written
     */
    public String headline(UnaryOperator<String> name) {
        String than = baselines().size() == 1
                ? " than " + name.apply(baselines().getFirst().words())
                : " than builds before it";
        return name.apply(build.words()) + " " + kind.predicate() + than;
    }

    @Override
    public boolean stands() {
        return !changes.isEmpty();
    }

    @Override
    public String path() {
        return Urls.regressionsOn(build.slug());
    }

    @Override
    public String title() {
        return headline(UnaryOperator.identity()) + ": " + Format.of(changes.size(), "change");
    }

    /** Its version, and what else sets it apart. */
    static String full(Jdk build) {
        return build.words() + " ("
                + String.join(
                        ", ",
                        Stream.of(build.runtimeVersion(), build.architecture(), build.slug())
                                .distinct()
                                .toList())
                + ")";
    }
}
