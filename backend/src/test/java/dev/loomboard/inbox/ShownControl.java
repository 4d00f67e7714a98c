package dev.loomboard.inbox;

import dev.loomboard.kit.Service;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.regression.ControlService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change for the worse by a fifth that its history confirms, and builds that stay while it comes. */
public final class ShownControl {

    public final SuspectRows rows;
    public final List<String> between;
    public final String pinned;
    public final String change;
    private final ControlService controls;

    public ShownControl(Service service, String visibility) {
        rows = new SuspectRows(service, visibility);
        between = rows.between(2);
        pinned = between.getFirst();
        change = rows.suspect("plain", "cpu_us_per_request");
        controls = service.bean(ControlService.class);
    }

    private static final class Shared {
        static final ShownControl CONFIRMED = confirmed();

        private static ShownControl confirmed() {
            ShownControl confirmed = new ShownControl(Service.shared(), "public");
            confirmed.nights(1);
            confirmed.confirm();
            return confirmed;
        }
    }

    /** Confirmed, and the control did not move. */
    public static ShownControl shared() {
        return Shared.CONFIRMED;
    }

    /**
     * Four of each level; gives their keys.
     *
     * @param moved what the control did, a ratio
     */
    public List<Long> nights(double moved) {
        List<Long> runs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            double noise = 1 + 0.001 * (i % 3);
            double other = 2 * (1 + 0.001 * (i % 2));
            runs.add(night(Map.of(rows.good, noise, pinned, other)));
            runs.add(night(Map.of(rows.young, 1.2 * noise, pinned, moved * other)));
        }
        return runs;
    }

    /** @param means by build */
    public long night(Map<String, Double> means) {
        return rows.night(change, means);
    }

    /** By its history; what a control says is looked for then. */
    public void confirm() {
        rows.run(
                "update change_point set status = 'confirmed', confirmed_by = 'history', decided_at = now(), history_at = now() where external_id = :id",
                Map.of("id", change));
        look();
    }

    public void look() {
        controls.look().block(ShownRegressions.TIMEOUT);
    }

    @Nullable
    public String column(String column) {
        return rows.column(change, column);
    }
}
