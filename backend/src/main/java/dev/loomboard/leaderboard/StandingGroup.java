package dev.loomboard.leaderboard;

import dev.loomboard.cell.Standing;
import java.util.stream.Stream;

/** How rows stand, in the order in which they are listed. */
public enum StandingGroup {
    RANKED(Standing.RANKED, "ranked"),
    PROVISIONAL(Standing.PROVISIONAL, "provisional"),
    FEW(Standing.FEW, "with not enough trials"),
    UNVERIFIED(Standing.UNVERIFIED, "not verified"),
    UNRANKED(Standing.UNRANKED, "unranked"),
    RETRACTED(Standing.RETRACTED, "retracted");

    private final Standing standing;
    private final String inWords;

    StandingGroup(Standing standing, String inWords) {
        this.standing = standing;
        this.inWords = inWords;
    }

    static StandingGroup of(Standing standing) {
        return Stream.of(values())
                .filter(group -> group.standing == standing)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("rows cannot stand as " + standing));
    }

    /** As counted rows are called: "3 with not enough trials". */
    public String inWords() {
        return inWords;
    }

    Standing standing() {
        return standing;
    }

    /** Its rows are listed board by board: of one class and protocol, seen by the same people. */
    boolean comparable() {
        return this != UNVERIFIED && this != UNRANKED && this != RETRACTED;
    }
}
