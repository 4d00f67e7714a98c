package dev.loomboard.regression;

import dev.loomboard.changepoint.ConfirmedBy;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the regressions of one build point to: the JDK, its distribution, a server, or the host. */
public final class CauseSummary {

    private static final int MANY = 2;

    private CauseSummary() {}

    /** @param moved regressions of one build, not empty */
    public static List<String> sentences(List<Regression> moved) {
        long cells = moved.stream()
                .map(r -> List.of(
                        r.cell().machine(),
                        r.cell().server().name(),
                        r.cell().server().variant(),
                        r.cell().scenarioKey(),
                        r.cell().settings().collector(),
                        r.cell().settings().jvmOptions(),
                        r.cell().settings().limits()))
                .distinct()
                .count();
        long servers =
                moved.stream().map(r -> r.cell().server().name()).distinct().count();
        boolean distribution = moved.stream().allMatch(r -> r.shift().distribution());
        String whose = distribution ? "this distribution" : "this JDK build";
        List<String> sentences = new ArrayList<>();
        if (servers >= MANY) {
            sentences.add(Format.of(cells, "cell") + " of " + Format.of(servers, "server")
                    + " changed together: the cause is probably " + whose + ".");
        } else if (cells >= MANY) {
            sentences.add(Format.of(cells, "cell") + " of one server changed together: the cause is probably " + whose
                    + " or the way that server uses it.");
        } else {
            sentences.add("Only one cell changed, so the cause may be its workload rather than " + whose + ".");
        }
        if (distribution) {
            sentences.add(
                    "The builds before and after have different lineages (vendor, compiler, libc or configuration), so "
                            + "this does not say that the JDK changed.");
        }
        sentences.add(host(moved));
        return List.copyOf(sentences);
    }

    private static String host(List<Regression> moved) {
        List<Regression> byHistory = moved.stream()
                .filter(r -> r.state().confirmedBy() != ConfirmedBy.RERUN)
                .toList();
        if (byHistory.isEmpty()) {
            return "The rerun interleaved both builds on this host, so the host is not the cause.";
        }
        List<HostControl> controls = byHistory.stream()
                .flatMap(r -> Optional.ofNullable(r.evidence().control()).stream())
                .filter(c -> c.beside() != null)
                .toList();
        long pointing = controls.stream().filter(HostControl::pointsToHost).count();
        long clearing = controls.stream().filter(HostControl::clearsHost).count();
        if (controls.isEmpty()) {
            return "No control ran, so a change of the host cannot be ruled out for changes found by history alone.";
        }
        if (pointing > 0) {
            return (controls.size() == 1 ? "The control" : pointing + " of " + controls.size() + " controls")
                    + " (the same cell on a fixed build) changed together with the changes found by history alone: the host is the "
                    + "probable cause.";
        }
        String set = " relative to the same cell on a fixed build";
        if (clearing == 0) {
            return "It is not clear whether the changes found by history alone remain" + set
                    + ", so a change of the host cannot be ruled out.";
        }
        String confirmed = Format.of(byHistory.size(), "change") + " found by history alone";
        return clearing == byHistory.size()
                ? "The changes found by history alone remain" + set + ": the host does not explain them."
                : clearing + " of " + confirmed + (clearing == 1 ? " remains" : " remain") + set
                        + ": for the others a change of the host cannot be ruled out.";
    }
}
