package dev.loomboard.inbox;

import dev.loomboard.regression.Regression;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.verdict.VerdictText;
import dev.loomboard.view.Atom;
import dev.loomboard.view.Sentence;
import dev.loomboard.web.Urls;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Confirmed regressions as Atom. One that is retracted stays, and says so. */
final class Feed {

    static final int MOST = 100;

    private Feed() {}

    /** @param site scheme, host and port, as others reach the service; empty: not known */
    static byte[] of(List<Regression> regressions, String site) {
        return Atom.feed(
                site,
                "confirmed regressions",
                Urls.regressionFeed(),
                Urls.regressions(),
                regressions.stream().map(Feed::entry).toList());
    }

    private static Atom.Entry entry(Regression r) {
        Retracted retracted = r.retracted();
        Instant decided =
                Objects.requireNonNullElse(r.state().decidedAt(), r.state().detectedAt());
        return new Atom.Entry(
                r.id(),
                (retracted == null ? "" : "Retracted: ") + r.headline(),
                Urls.regression(r.id()),
                r.state().detectedAt(),
                retracted != null && retracted.at().isAfter(decided) ? retracted.at() : decided,
                retracted == null ? summary(r) : Sentence.of(retracted.words()) + " " + summary(r));
    }

    private static String summary(Regression r) {
        VerdictText rerun = r.rerunVerdict();
        String verdict = rerun == null || rerun.verdict() == null
                ? ""
                : " Rerun: " + rerun.verdict() + (r.interval() == null ? "" : " (95 %: " + r.interval() + ")") + ", "
                        + rerun.basis() + (rerun.selected() == null ? "" : "; " + rerun.selected()) + ".";
        return r.cell().scenario().words() + " on " + r.cell().machineName() + ", "
                + r.good().slug() + " against " + r.build().slug() + ". History: " + r.levels() + "." + verdict + " "
                + Sentence.of(r.sureness());
    }
}
