package dev.loomboard.leaderboard;

import dev.loomboard.cell.Retracted;

/** How rows stand, in the order in which they are listed. */
public enum StandingGroup {
    RANKED("ranked", "ranked"),
    PROVISIONAL("provisional", "provisional"),
    FEW("few", "with too few trials"),
    UNRANKED("unranked", "unranked"),
    RETRACTED(Retracted.STANDING, "retracted");

    private final String word;
    private final String inWords;

    StandingGroup(String word, String inWords) {
        this.word = word;
        this.inWords = inWords;
    }

    /** As counted rows are called: "3 with too few trials". */
    public String inWords() {
        return inWords;
    }

    /** As it is stored. */
    String word() {
        return word;
    }

    /** Its rows are listed board by board: of one class and protocol, seen by the same people. */
    boolean comparable() {
        return this != UNRANKED && this != RETRACTED;
    }
}
