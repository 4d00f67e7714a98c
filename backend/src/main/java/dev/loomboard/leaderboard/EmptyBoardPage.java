package dev.loomboard.leaderboard;

import dev.loomboard.firststeps.FirstStepsPage;
import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/**
 * There is no result that the caller may see: how to get a first one.
 *
 * @param steps of one who may register a machine; null: of others
 */
public record EmptyBoardPage(@Nullable FirstStepsPage steps) implements Page {
    @Override
    public String template() {
        return "leaderboard/empty.jte";
    }
}
