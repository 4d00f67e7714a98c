package dev.loomboard.regression;

import dev.loomboard.kit.Service;
import dev.loomboard.kit.SuspectRows;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * A night after which a rerun confirmed a regression and dropped another, a history confirmed an improvement, and one suspect
 * cannot be rerun.
 */
public final class ShownRegressions {

    static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String CPU = "cpu_us_per_request";

    public final SuspectRows rows;
    public final String regression;
    public final String dropped;
    public final String improvement;
    public final String suspect;
    public final String rerun;

    public ShownRegressions(Service service, String visibility) {
        rows = new SuspectRows(service, visibility);
        RerunService reruns = service.bean(RerunService.class);
        regression = rows.suspect("plain", CPU);
        dropped = rows.suspect("other", CPU, rows.good, 1.2, 1);
        reruns.followUp().block(TIMEOUT);
        rerun = Objects.requireNonNull(rows.rerun(regression), "the rerun");
        rows.measured(rerun, 1.2);
        reruns.decide().block(TIMEOUT);
        suspect = rows.suspect("third", CPU);
        improvement = rows.suspect("third", "rss_mib", rows.good, 1.2, 1);
        rows.run("""
                update change_point set status = 'confirmed', confirmed_by = 'history', decided_at = now(), history_at = now(),
                       history_change = -0.17, history_p = 1e-6 where external_id = :id
                """, Map.of("id", improvement));
        reruns.followUp().block(TIMEOUT);
    }

    private static final class Shared {
        static final ShownRegressions PUBLIC = new ShownRegressions(Service.shared(), "public");
    }

    public static ShownRegressions shared() {
        return Shared.PUBLIC;
    }
}
