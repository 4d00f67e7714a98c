package dev.loomboard.verdict;

import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.latency.Failures;
import dev.loomboard.stats.paired.Judgement;
import dev.loomboard.stats.paired.Power;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A stored outcome in the words that its row of the page has. */
public record VerdictText(Outcome outcome, int familySize) {

    /** The verdict with what belongs to it; null: none. */
    public @Nullable String verdict() {
        return switch (outcome.verdict()) {
            case null -> null;
            case FASTER -> "faster" + change();
            case SLOWER -> "slower" + change();
            case FAILS_LESS, FAILS_MORE -> outcome.verdict().word() + shares();
            case EQUIVALENT ->
                "equivalent"
                        + (outcome.decision().margin() == null
                                ? ""
                                : " within " + share(outcome.decision().margin()));
            case INCONCLUSIVE -> "inconclusive" + further();
        };
    }

    /** How sure that is, and on what; how large a change is excluded where none was found. */
    public String basis() {
        List<String> parts = new ArrayList<>();
        if (outcome.decision().adjustedP() != null) {
            parts.add("adjusted p " + Format.p(outcome.decision().adjustedP()) + of());
        }
        parts.add(Format.of(outcome.blocks(), "block"));
        if (outcome.decision().decidable() != null
                && outcome.verdict() != null
                && !outcome.verdict().differs()) {
            parts.add("a change above ±" + share(outcome.decision().decidable()) + " is excluded at 5 %"
                    + (outcome.verdict() == Verdict.EQUIVALENT ? ", unadjusted" : ""));
        }
        findable(outcome.decision().findable(), parts);
        return String.join(" · ", parts);
    }

    /** How large a change these trials would have found, at the spread seen and at the ends of its interval. */
    private static void findable(Outcome.Findable change, List<String> parts) {
        if (change.size() != null && change.low() != null && change.high() != null) {
            parts.add("a change of " + share(change.size()) + " would be found with power "
                    + Format.plain(Power.WANTED) + " (95 % range " + share(change.low()) + " to " + share(change.high())
                    + ")");
        }
    }

    private String of() {
        Integer look = outcome.looked().look();
        return look == null
                ? " in a family of " + familySize
                : " at look " + look + " of " + SequentialRerun.LOOKS.size();
    }

    /**
     * That the size may be overestimated; null: it is not. A rerun ends with the look that decides, which comes sooner when chance
     * enlarges the difference.
     */
    public @Nullable String selected() {
        Verdict verdict = outcome.verdict();
        return outcome.looked().look() != null && verdict != null && verdict.differs()
                ? "the size may be overestimated, because the rerun stopped as soon as it found a difference"
                : null;
    }

    /** What makes it weaker than it looks; empty: nothing does. */
    public List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (outcome.looked().cutShortOf() != null) {
            doubts.add("cut short: %d of %s"
                    .formatted(outcome.blocks(), Format.of(outcome.looked().cutShortOf(), "block")));
        }
        if (selected() != null) {
            doubts.add(selected());
        }
        if (outcome.excluded().baseline() + outcome.excluded().candidate() > 0) {
            doubts.add("excluded: %d of %s of the baseline, %d of %s of the candidate"
                    .formatted(
                            outcome.excluded().baseline(),
                            Format.of(outcome.excluded().ofBaseline(), "trial"),
                            outcome.excluded().candidate(),
                            Format.of(outcome.excluded().ofCandidate(), "trial")));
        }
        if (outcome.lost().failedP() != null) {
            doubts.add(failed(outcome.lost(), outcome.lost().failedP()));
        }
        if (outcome.suspectBlocks() > 0) {
            doubts.add("%d of %s %s a suspect trial"
                    .formatted(
                            outcome.suspectBlocks(),
                            Format.of(outcome.blocks(), "block"),
                            outcome.suspectBlocks() == 1 ? "contains" : "contain"));
        }
        if (outcome.checks().disagreement() != null) {
            doubts.add("the checks disagree: " + outcome.checks().disagreement());
        }
        modes("the baseline's", outcome.modesBaseline(), doubts);
        modes("the candidate's", outcome.modesCandidate(), doubts);
        return doubts;
    }

    /** Of trials that failed, which is an outcome by itself, whatever the others show. */
    private String failed(Outcome.Lost lost, double p) {
        int baseline = Objects.requireNonNullElse(lost.failedBaseline(), 0);
        int candidate = Objects.requireNonNullElse(lost.failedCandidate(), 0);
        String words = "failed: %d of %s of the baseline, %d of %s of the candidate (p %s, unadjusted)"
                .formatted(
                        baseline,
                        Format.of(outcome.excluded().ofBaseline(), "trial"),
                        candidate,
                        Format.of(outcome.excluded().ofCandidate(), "trial"),
                        Format.p(p));
        boolean more = (double) candidate / outcome.excluded().ofCandidate()
                > (double) baseline / outcome.excluded().ofBaseline();
        return p < Judgement.ALPHA
                ? (more ? "the candidate" : "the baseline") + " fails more of its trials: " + words
                : words;
    }

    private static void modes(String whose, @Nullable String modes, List<String> doubts) {
        if (modes != null) {
            doubts.add(whose + " trials fall into two groups: " + modes);
        }
    }

    private String change() {
        return outcome.found().effect() == null
                ? ""
                : ", " + Format.change(outcome.found().effect());
    }

    private String shares() {
        Double baseline = outcome.found().baseline();
        Double candidate = outcome.found().candidate();
        return baseline == null || candidate == null
                ? ""
                : ", %s instead of %s of the requests".formatted(Failures.words(candidate), Failures.words(baseline));
    }

    private String further() {
        Integer lost = outcome.lost().dependsOnLost();
        if (lost != null) {
            return ": depends on " + Format.of(lost, "lost trial");
        }
        Integer blocks = outcome.decision().furtherBlocks();
        Integer most = outcome.decision().furtherBlocksMost();
        if (blocks == null) {
            return ": the effect is too close to the margin or the spread too large to say how many trials would decide";
        }
        String range = most == null
                ? "at least " + Format.of(blocks, "further trial")
                : most.equals(blocks) ? Format.of(blocks, "further trial") : blocks + " to " + most + " further trials";
        return ": " + range + " on each side would probably decide, if the change is as large as measured";
    }

    private static String share(double share) {
        return Format.percent(share);
    }
}
