package dev.loomboard.recompute;

import dev.loomboard.changepoint.ChangePointService;
import dev.loomboard.changepoint.ChangePointStore;
import dev.loomboard.database.CommandApplication;
import dev.loomboard.ranking.LeaderboardRollupStore;
import dev.loomboard.ranking.RankService;
import dev.loomboard.ranking.RankStore;
import dev.loomboard.rollup.CellStore;
import dev.loomboard.rollup.RollupStore;
import dev.loomboard.verdict.VerdictService;
import dev.loomboard.verdict.VerdictStore;
import java.io.PrintStream;
import org.springframework.context.annotation.Import;

/**
 * The command {@code verify-rollups}: all numbers of all runs made again and compared, on the database that the service
 * would use. It serves nothing and fires no schedule.
 */
@Import({
    RollupStore.class,
    CellStore.class,
    ChangePointStore.class,
    ChangePointService.class,
    LeaderboardRollupStore.class,
    RankStore.class,
    RankService.class,
    VerdictStore.class,
    VerdictService.class,
    RollupService.class,
    RecomputeService.class,
    RollupCheckService.class
})
public class RollupCheckApplication extends CommandApplication {

    private static final int DIFFERENT = 1;

    /**
     * @param settings as on a command line, such as {@code --loomboard.database.url=…}; absent: those of the environment
     * @return the exit code: 0 all the same, 1 something differs, 2 the database gives no answer
     */
    public static int run(PrintStream out, PrintStream err, String... settings) {
        return run(
                RollupCheckApplication.class,
                err,
                settings,
                context -> print(context.getBean(RollupCheckService.class), out));
    }

    private static int print(RollupCheckService service, PrintStream out) {
        // Asked first: an older schema is said before anything that could be taken for a result.
        long without = service.withoutRaw().blockOptional().orElse(0L);
        long taken = service.withoutSamples().blockOptional().orElse(0L);
        long other = service.ofOtherMethodology().blockOptional().orElse(0L);
        long rows = 0;
        int runs = 0;
        int different = 0;
        for (RollupCheck check : service.all().toIterable(1)) { // one after the other, however many there are
            line(check, out);
            rows += check.rows();
            runs++;
            different += check.same() ? 0 : 1;
        }
        out.printf(
                "%d rows of %d runs made again: %s%n",
                rows,
                runs,
                runs == 0
                        ? "there is nothing yet"
                        : different == 0 ? "all the same, to the last bit" : different + " runs differ");
        if (without > 0) {
            out.printf("%d runs hold summaries alone, their histograms are no longer kept: not checked%n", without);
        }
        if (taken > 0) {
            out.printf(
                    "of %d trials the raw samples were removed: their percentiles are checked, their other numbers are taken"
                            + " as they are stored, and what is made of them is checked%n",
                    taken);
        }
        if (other > 0) {
            out.printf("%d runs are of another methodology: start the service, which makes them again%n", other);
        }
        return different == 0 ? 0 : DIFFERENT;
    }

    private static void line(RollupCheck check, PrintStream out) {
        out.printf(
                "%s %7d rows  %s  %s%n", check.run(), check.rows(), check.same() ? "same  " : "DIFFERS", check.title());
        for (RollupCheck.Difference difference : check.differences()) {
            out.printf(
                    "  %s, %s: %s%n",
                    difference.kind(), difference.stored() ? "stored" : "made again", difference.line());
        }
    }
}
