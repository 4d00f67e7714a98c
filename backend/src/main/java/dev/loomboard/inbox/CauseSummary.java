package dev.loomboard.inbox;

import dev.loomboard.changepoint.ConfirmedBy;
import dev.loomboard.regression.HostControl;
import dev.loomboard.regression.Regression;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the regressions of one build point to: the JDK, its distribution, a server, or the host. */
final class CauseSummary {

    private static final int MANY = 2;

    private CauseSummary() {}

    /** @param moved regressions of one build, not empty */
    static List<String> sentences(List<Regression> moved) {
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
                    + " moved together: this points to " + whose + ".");
        } else if (cells >= MANY) {
            sentences.add(Format.of(cells, "cell") + " of one server moved together: this points to " + whose
                    + " or to what that server does with it.");
        } else {
            sentences.add("One cell moved: what it runs may matter as much as " + whose + ".");
        }
        if (distribution) {
            sentences.add(
                    "The builds before and after have different lineages (vendor, compiler, libc or configuration), so "
                            + "nothing here is said of the JDK as such.");
        }
        sentences.add(host(moved));
        return List.copyOf(sentences);
    }

    private static String host(List<Regression> moved) {
        List<Regression> byHistory = moved.stream()
                .filter(r -> r.state().confirmedBy() != ConfirmedBy.RERUN)
                .toList();
        if (byHistory.isEmpty()) {
            return "The host did not do it: in the rerun both builds took turns on it.";
        }
        List<HostControl> controls = byHistory.stream()
                .flatMap(r -> Optional.ofNullable(r.evidence().control()).stream())
                .filter(c -> c.beside() != null)
                .toList();
        long pointing = controls.stream().filter(HostControl::pointsToHost).count();
        long clearing = controls.stream().filter(HostControl::clearsHost).count();
        if (controls.isEmpty()) {
            return "There is no control, so for what history alone confirmed it is not ruled out that the host moved.";
        }
        if (pointing > 0) {
            return (controls.size() == 1 ? "The control" : pointing + " of " + controls.size() + " controls")
                    + " (the same cell on a build that stayed) moved along with what history alone confirmed: this points to "
                    + "the host.";
        }
        String set = " when set against the same cell on a build that stayed";
        if (clearing == 0) {
            return "It is not clear whether what history alone confirmed remains" + set
                    + ", so it is not ruled out that the host moved.";
        }
        String confirmed = Format.of(byHistory.size(), "change") + " that history alone confirmed";
        return clearing == byHistory.size()
                ? "What history alone confirmed remains" + set + ": the host does not explain it."
                : clearing + " of " + confirmed + (clearing == 1 ? " remains" : " remain") + set
                        + ": for the rest it is not ruled out that the host moved.";
    }
}
