package dev.loomboard.outbox;

import dev.loomboard.notice.NoticeKind;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What the notice of a build says, as lines of plain text. */
final class BuildText {

    private final ToldBuild what;
    private final String site;
    private final List<String> lines = new ArrayList<>();

    private BuildText(ToldBuild what, String site) {
        this.what = what;
        this.site = site;
    }

    /**
     * @param most changes in full; the page has all
     * @param site scheme, host and port
     */
    static List<String> of(ToldBuild what, String workspace, int most, String site) {
        BuildText text = new BuildText(what, site);
        text.facts(workspace);
        text.changes(most);
        return text.lines;
    }

    /** What its reader can do, in sentences. */
    static List<String> next(ToldBuild what, String site) {
        List<String> next = new ArrayList<>();
        next.add("See all that is known of this build: " + site + what.path());
        if (what.kind() != NoticeKind.FASTER && what.changes().stream().anyMatch(change -> change.page() != null)) {
            next.add("Say on the page of a change whether it is expected, or that you look after it: others see that.");
            next.add(
                    "Start a bisection on the page of a change: it searches the builds between the two for the one that"
                            + " brought it, and says before how long that takes.");
        }
        if (what.kind() != NoticeKind.FASTER
                && what.changes().stream().anyMatch(change -> change.page() != null && !change.reran())) {
            next.add(
                    "If you doubt what history alone confirmed, ask for a rerun on the page of that change: it measures"
                            + " both builds in turns.");
        }
        return next;
    }

    private void facts(String workspace) {
        line(what.headline(UnaryOperator.identity()) + ".");
        line("");
        fact("Build", ToldBuild.full(what.build()));
        what.baselines().forEach(good -> fact("Compared with", ToldBuild.full(good)));
        fact(
                "Measured on",
                String.join(", ", what.machines())
                        + (what.machineClass().isBlank() ? "" : " (machine class " + what.machineClass() + ")"));
        fact("Workspace", workspace);
        fact("Confirmed", what.count());
        line("");
    }

    private void changes(int most) {
        List<ToldChange> changes = what.changes();
        for (int i = 0; i < Math.min(most, changes.size()); i++) {
            change(i + 1, changes.get(i));
        }
        if (changes.size() > most) {
            line("And " + Format.of(changes.size() - (long) most, "change") + " more: " + site + what.path());
            line("");
        }
        if (!what.pointsTo().isEmpty()) {
            line("What it points to");
            what.pointsTo().forEach(sentence -> line("- " + sentence));
            line("");
        }
    }

    private void change(int number, ToldChange change) {
        line(number + ". " + change.cell().words(what.machines().size() > 1));
        line("   " + change.metric() + ": " + change.found());
        if (!change.levels().isEmpty()) {
            line("   History: " + change.levels());
        }
        if (what.baselines().size() > 1) {
            line("   Compared with " + change.good().words());
        }
        line("   How sure: " + change.sure());
        change.doubts().forEach(doubt -> line("   Note: " + doubt));
        if (change.evidence() != null) {
            line("   Evidence (run): " + site + change.evidence());
        }
        if (change.page() != null) {
            line("   This change: " + site + change.page());
        }
        line("");
    }

    private void fact(String label, String value) {
        line(NoticeText.fact(label, value));
    }

    private void line(String text) {
        lines.add(text);
    }
}
