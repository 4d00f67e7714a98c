package dev.loomboard.leaderboard;

import dev.loomboard.web.Page;

/** There is no result that the caller may see: how to get a first one. */
public record EmptyBoardPage() implements Page {
    @Override
    public String template() {
        return "leaderboard/empty.jte";
    }
}
