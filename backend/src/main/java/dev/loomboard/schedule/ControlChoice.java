package dev.loomboard.schedule;

import dev.loomboard.cell.Availability;
import dev.loomboard.expansion.Expansion;
import dev.loomboard.inventory.ServerOffer;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.view.Format;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which build a schedule's next run has as its control, on the machine as it is now. The one that it has stays as long as it can be
 * used: it is on the machine, and not the newest of those that are measured. Else it is the newest release that is not that, or the
 * oldest build where there is no other release.
 *
 * @param build null: there is none
 * @param note why it is another than before, or the first, in a sentence; null: it stays
 * @param trials that it adds to a run; 0: it is measured anyway
 * @param seconds that they take at most, roughly
 */
public record ControlChoice(
        @Nullable JdkBuild build, @Nullable String note, int trials, double seconds) {

    /** What a machine has. */
    public record Offer(List<JdkBuild> builds, List<ServerOffer> servers) {}

    /**
     * @param spec of the matrix
     * @param selectors of the schedule, empty: the matrix's own; empty: nothing can be measured at all, or nothing on a JDK
     */
    public static Optional<ControlChoice> of(
            Schedule.Control now, MatrixSpec spec, List<String> selectors, Offer offer) {
        if (!Expansion.asksJdk(spec, offer.servers())) {
            return Optional.empty();
        }
        List<JdkBuild> selected =
                Expansion.selected(spec, selectors, offer.builds()).builds();
        return selected.stream()
                .min(JdkBuild.NEWEST_FIRST)
                .map(newest -> of(now, usable(spec, newest, offer), newest).costed(spec, selectors, offer));
    }

    /** @param usable newest first */
    private static ControlChoice of(Schedule.Control now, List<JdkBuild> usable, JdkBuild newest) {
        Optional<JdkBuild> stays = usable.stream()
                .filter(b -> now.key() != null && b.key() == now.key())
                .findFirst();
        if (stays.isPresent()) {
            return new ControlChoice(stays.get(), null, 0, 0);
        }
        Optional<JdkBuild> release =
                usable.stream().filter(b -> b.availability() == Availability.GA).findFirst();
        JdkBuild chosen = release.orElse(usable.isEmpty() ? null : usable.getLast());
        String why = chosen == null
                ? "The machine has no other build than " + newest.slug() + " that the servers run on."
                : "Chosen by the service: the "
                        + (release.isPresent() ? "newest release" : "oldest build, because there is no release")
                        + " except " + newest.slug() + ", the newest measured build.";
        return new ControlChoice(chosen, gone(now, newest) + why, 0, 0);
    }

    /** Empty: there was none. */
    private static String gone(Schedule.Control now, JdkBuild newest) {
        if (now.build() == null) {
            return "";
        }
        String reason = now.build().equals(newest.slug())
                ? " is now the newest measured build"
                : " is no longer on the machine, or the servers do not run on it";
        return "The previous control, " + now.build() + ", " + reason.strip()
                + ". Nights before and after this change are not compared. ";
    }

    private static List<JdkBuild> usable(MatrixSpec spec, JdkBuild newest, Offer offer) {
        List<ServerOffer> servers = offer.servers().stream()
                .filter(s -> spec.dimensions().servers().stream()
                        .anyMatch(wanted -> wanted.server().equals(s.name())))
                .toList();
        return offer.builds().stream()
                .filter(b -> b.key() != newest.key() && servers.stream().allMatch(s -> s.runsOn(b.feature())))
                .sorted(JdkBuild.NEWEST_FIRST)
                .toList();
    }

    private ControlChoice costed(MatrixSpec spec, List<String> selectors, Offer offer) {
        if (build == null
                || !(expansion(spec, selectors, offer, null) instanceof Expansion.Expanded without)
                || !(expansion(spec, selectors, offer, build.key()) instanceof Expansion.Expanded with)) {
            return this;
        }
        return new ControlChoice(
                build,
                note,
                with.expansion().trials().size() - without.expansion().trials().size(),
                with.expansion().longestSeconds(spec) - without.expansion().longestSeconds(spec));
    }

    private static Expansion.Result expansion(
            MatrixSpec spec, List<String> selectors, Offer offer, @Nullable Long control) {
        return Expansion.of(spec, selectors, offer.builds(), offer.servers(), group -> true, control, 0);
    }

    /** The build and what it costs, in a sentence. */
    public String sentence() {
        if (build == null) {
            return "No control: " + note;
        }
        return build.slug() + " alternates with each cell and stays the same every night: "
                + (trials == 0
                        ? "the matrix measures it anyway, so it adds no trials."
                        : Format.cost(trials, seconds) + " a firing.");
    }
}
