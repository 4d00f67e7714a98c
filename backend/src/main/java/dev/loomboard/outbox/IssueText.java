package dev.loomboard.outbox;

import dev.loomboard.cell.Jdk;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a mail tells, for an issue of GitHub and what is like it.
 *
 * @param title one line of plain text
 * @param body Markdown
 */
public record IssueText(String title, String body) {

    /**
     * Of what a notice tells.
     *
     * @param site scheme, host and port
     */
    public static IssueText of(Told told, String site) {
        return new IssueText(
                Markdown.line(told.title()),
                switch (told) {
                    case ToldBuild build -> new Body(build, site).text();
                    case ToldAlarm alarm -> text(alarm, site);
                });
    }

    /**
     * Of a sentence of ours.
     *
     * @param text may name what people named
     */
    public static IssueText ofOurs(String title, String text) {
        return new IssueText(title, Markdown.escaped(text) + "\n");
    }

    private static String text(ToldAlarm told, String site) {
        List<String> lines = new ArrayList<>();
        lines.add(Markdown.name(told.subject()) + " " + told.kind().predicate() + " since "
                + told.since().local() + ".");
        lines.add("");
        told.facts().forEach(fact -> lines.add("- " + fact.label() + ": " + Markdown.name(fact.value())));
        lines.add("");
        if (!told.happened().isEmpty()) {
            lines.add("### What came of it since, the newest first");
            lines.add("");
            told.happened()
                    .forEach(event -> lines.add("- "
                            + (event.path() == null
                                    ? Markdown.escaped(event.text())
                                    : link(Markdown.escaped(event.text()), site + event.path()))));
            lines.add("");
        }
        lines.add(link("Its page", site + told.path()));
        return String.join("\n", lines) + "\n";
    }

    private static String link(String text, String address) {
        return "[" + text + "](" + address + ")";
    }

    private static final class Body {

        private final ToldBuild told;
        private final String site;
        private final List<String> lines = new ArrayList<>();

        Body(ToldBuild told, String site) {
            this.told = told;
            this.site = site;
        }

        String text() {
            lines.add(told.headline(Markdown::name) + ".");
            lines.add("");
            facts();
            List<ToldChange> changes = told.changes();
            for (int i = 0; i < Math.min(NoticeMail.MOST_CHANGES, changes.size()); i++) {
                change(i + 1, changes.get(i));
            }
            if (changes.size() > NoticeMail.MOST_CHANGES) {
                lines.add("And " + Format.of(changes.size() - (long) NoticeMail.MOST_CHANGES, "change") + " more.");
                lines.add("");
            }
            if (!told.pointsTo().isEmpty()) {
                lines.add("### What it points to");
                lines.add("");
                told.pointsTo().forEach(sentence -> lines.add("- " + Markdown.escaped(sentence)));
                lines.add("");
            }
            lines.add(link("All that is known of this build", site + told.path()));
            return String.join("\n", lines) + "\n";
        }

        private void facts() {
            lines.add("- Build: " + Markdown.name(ToldBuild.full(told.build())));
            for (Jdk good : told.baselines()) {
                lines.add("- Compared with: " + Markdown.name(ToldBuild.full(good)));
            }
            lines.add("- Measured on: "
                    + told.machines().stream().map(Markdown::name).collect(Collectors.joining(", "))
                    + (told.machineClass().isBlank()
                            ? ""
                            : " (machine class " + Markdown.name(told.machineClass()) + ")"));
            lines.add("- Confirmed: " + told.count());
            lines.add("");
        }

        private void change(int number, ToldChange change) {
            lines.add("### " + number + ". "
                    + Markdown.name(change.cell().words(told.machines().size() > 1)));
            lines.add("");
            lines.add("- " + Markdown.escaped(change.metric() + ": " + change.found()));
            if (!change.levels().isEmpty()) {
                lines.add("- History: " + Markdown.escaped(change.levels()));
            }
            if (told.baselines().size() > 1) {
                lines.add("- Compared with " + Markdown.name(change.good().words()));
            }
            lines.add("- How sure: " + Markdown.escaped(change.sure()));
            change.doubts().forEach(doubt -> lines.add("- Note: " + Markdown.escaped(doubt)));
            if (change.evidence() != null) {
                lines.add("- " + link("Evidence (run)", site + change.evidence()));
            }
            if (change.page() != null) {
                lines.add("- " + link("This change", site + change.page()));
            }
            lines.add("");
        }
    }
}
