package dev.loomboard.ranking;

import dev.loomboard.cell.Visibility;
import java.util.Comparator;

/**
 * Entries that may be ranked against each other.
 *
 * @param workspace internal key of the only one whose members may see them; 0: everybody may
 */
public record BoardKey(long workspace, String scenarioKey, String classHash, String protocol)
        implements Comparable<BoardKey> {

    private static final Comparator<BoardKey> ORDER = Comparator.comparing(BoardKey::scenarioKey)
            .thenComparing(BoardKey::classHash)
            .thenComparing(BoardKey::protocol)
            .thenComparing(BoardKey::workspace);

    static BoardKey of(long workspace, Visibility visibility, String scenarioKey, String classHash, String protocol) {
        return new BoardKey(visibility == Visibility.PUBLIC ? 0 : workspace, scenarioKey, classHash, protocol);
    }

    boolean open() {
        return workspace == 0;
    }

    /** The order in which boards are locked. */
    @Override
    public int compareTo(BoardKey other) {
        return ORDER.compare(this, other);
    }
}
