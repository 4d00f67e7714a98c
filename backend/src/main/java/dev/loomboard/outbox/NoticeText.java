package dev.loomboard.outbox;

import dev.loomboard.view.Format;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What a notice says, as lines of plain text. */
final class NoticeText {

    private final ToldBuild what;
    private final String site;
    private final List<String> lines = new ArrayList<>();

    private NoticeText(ToldBuild what, String site) {
        this.what = what;
        this.site = site;
    }

    /**
     * @param most changes in full; the page has all
     * @param site scheme, host and port
     */
    static List<String> of(ToldNotice notice, int most, String site) {
        NoticeText text = new NoticeText(notice.what(), site);
        text.facts(notice.workspaceName());
        text.changes(most);
        return text.lines;
    }

    /** One text: names come from machines and people, so each line stays one. */
    static String joined(List<String> lines) {
        return lines.stream().map(Markdown::line).collect(Collectors.joining("\n", "", "\n"));
    }

    private void facts(String workspace) {
        line(what.headline(UnaryOperator.identity()) + ".");
        line("");
        line("Build:          " + ToldBuild.full(what.build()));
        what.baselines().forEach(good -> line("Compared with:  " + ToldBuild.full(good)));
        line("Measured on:    " + String.join(", ", what.machines())
                + (what.machineClass().isBlank() ? "" : " (machine class " + what.machineClass() + ")"));
        line("Workspace:      " + workspace);
        line("Confirmed:      " + what.count());
        line("");
    }

    private void changes(int most) {
        List<ToldChange> changes = what.changes();
        for (int i = 0; i < Math.min(most, changes.size()); i++) {
            change(i + 1, changes.get(i));
        }
        if (changes.size() > most) {
            line("And " + Format.of(changes.size() - (long) most, "change") + " more: " + site
                    + Urls.regressionsOn(what.build().slug()));
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

    private void line(String text) {
        lines.add(text);
    }
}
