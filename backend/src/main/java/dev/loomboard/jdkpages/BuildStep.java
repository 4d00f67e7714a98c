package dev.loomboard.jdkpages;

import dev.loomboard.cell.Jdk;
import dev.loomboard.jdk.SourceChanges;
import dev.loomboard.jdkflags.FlagChanges;
import dev.loomboard.kernel.WireName;
import dev.loomboard.matching.Comparison;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.VerdictCounts;
import dev.loomboard.web.Urls;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a build changed against one before it.
 *
 * @param distribution the lineages differ: then a difference is the distribution's, not the JDK's
 * @param tally verdicts over all cells and metrics that both have
 * @param differences the cells and metrics with a difference, the surest first
 * @param footprint how the resident memory of each cell of both changed, the surest first
 * @param startup how the time to the first ready answer changed, the largest change first; it is not judged
 * @param split by who chooses collector and heap; null: they are set in all cells
 * @param sources where the sources of both are compared; null: they are in no one repository
 * @param flags which default flags differ; null: no machine that the caller may see has read those of both
 */
public record BuildStep(
        To to,
        Jdk build,
        Jdk other,
        boolean distribution,
        VerdictCounts tally,
        List<Comparison.Pair> differences,
        List<Comparison.Pair> footprint,
        List<Comparison.Pair> startup,
        @Nullable DefaultsSplit split,
        @Nullable SourceChanges sources,
        @Nullable FlagChanges flags) {

    /** Cold by definition, so no test of it is declared. */
    private static final String STARTUP = "startup_ms";

    /** What is compared. */
    static final List<String> METRICS =
            Stream.concat(DeclaredTest.COMPARED.stream(), Stream.of(STARTUP)).toList();

    /** Which build it is set against. */
    public enum To implements WireName {
        BEFORE("the build before"),
        RELEASE("the last release");

        private final String words;

        To(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    public BuildStep {
        differences = List.copyOf(differences);
        footprint = List.copyOf(footprint);
        startup = List.copyOf(startup);
    }

    static BuildStep of(To to, Comparison found, Optional<FlagChanges> flags) {
        List<Comparison.Pair> pairs =
                found.pairs().stream().filter(pair -> !of(pair, STARTUP)).toList();
        return new BuildStep(
                to,
                found.candidate(),
                found.baseline(),
                found.distribution(),
                VerdictCounts.of(pairs.stream().map(Comparison.Pair::verdict).toList()),
                pairs.stream()
                        .filter(pair -> differs(pair.verdict()))
                        .sorted(Comparator.comparingDouble(Comparison.Pair::adjustedP))
                        .toList(),
                pairs.stream()
                        .filter(pair -> of(pair, DeclaredTest.MEMORY))
                        .sorted(Comparator.comparingDouble(Comparison.Pair::adjustedP))
                        .toList(),
                found.pairs().stream()
                        .filter(pair -> of(pair, STARTUP))
                        .sorted(Comparator.comparingDouble(BuildStep::change).reversed())
                        .toList(),
                DefaultsSplit.of(pairs),
                SourceChanges.between(found.baseline(), found.candidate()),
                flags.orElse(null));
    }

    private static boolean of(Comparison.Pair pair, String metric) {
        return pair.cell().metric().equals(metric);
    }

    /** How large it is, up or down alike. */
    private static double change(Comparison.Pair pair) {
        Double ratio = pair.estimate().ratio();
        return ratio == null ? -1 : Math.abs(Math.log(ratio));
    }

    static boolean differs(@Nullable Verdict verdict) {
        return verdict != null && verdict.differs();
    }

    /** Nothing is known of both. */
    public boolean empty() {
        return unmeasured() && flags == null;
    }

    /** Nothing was measured on both. */
    public boolean unmeasured() {
        return tally.equals(VerdictCounts.of(List.of()));
    }

    /** Where all of it is. */
    public String url() {
        return Urls.compare(other.slug(), build.slug());
    }
}
