package dev.loomboard.verdict;

import dev.loomboard.expansion.Cell;
import dev.loomboard.jdk.JdkBuild;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * In what the two cells of a test differ, all else being equal; in the order in which families are declared. Scenarios
 * and delays of the database are none: another load is another question. The agent has the same in Go
 * ({@code plan/comparisons.go}).
 */
public enum TestDimension {
    /** The build. */
    JDK {
        @Override
        String label(Cell cell) {
            return cell.jdk().slug();
        }

        /** Each two, the older as the baseline. */
        @Override
        List<Two> pairs(List<Cell> equals) {
            List<Cell> group = equals.stream().sorted(OLDEST_FIRST).toList();
            List<Two> pairs = new ArrayList<>();
            for (int i = 0; i < group.size(); i++) {
                for (int k = i + 1; k < group.size(); k++) {
                    pairs.add(new Two(group.get(i), group.get(k)));
                }
            }
            return pairs;
        }
    },
    /** Server and variant. */
    SERVER {
        @Override
        String label(Cell cell) {
            return cell.server().label();
        }

        /** What the matrix lists first against each other, and each server's first variant against its others. */
        @Override
        List<Two> pairs(List<Cell> equals) {
            Map<String, List<Cell>> servers = equals.stream()
                    .collect(Collectors.groupingBy(
                            cell -> cell.server().name(), LinkedHashMap::new, Collectors.toList()));
            return Stream.concat(
                            firstAgainstRest(equals).stream(),
                            servers.values().stream().skip(1).flatMap(variants -> firstAgainstRest(variants).stream()))
                    .toList();
        }
    },
    COLLECTOR {
        @Override
        String label(Cell cell) {
            return cell.settings().collector();
        }
    },
    LIMITS {
        @Override
        String label(Cell cell) {
            return cell.settings().limits().canonical();
        }
    };

    private static final Comparator<Cell> OLDEST_FIRST =
            Comparator.comparing(Cell::jdk, JdkBuild.NEWEST_FIRST).reversed();

    record Two(Cell baseline, Cell candidate) {}

    /** What the cell is on this axis. */
    abstract String label(Cell cell);

    /** @param equals cells that differ on this axis alone, in the matrix's order */
    List<Two> pairs(List<Cell> equals) {
        return firstAgainstRest(equals);
    }

    /** As it is stored and written in addresses. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static TestDimension of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }

    /** All pairs of a run's cells that are tested on this axis. */
    List<Two> pairsOf(List<Cell> cells) {
        Map<String, List<Cell>> groups =
                cells.stream().collect(Collectors.groupingBy(this::rest, LinkedHashMap::new, Collectors.toList()));
        return groups.values().stream().flatMap(group -> pairs(group).stream()).toList();
    }

    /** What two cells must share to be compared on this axis. */
    private String rest(Cell cell) {
        return Stream.of(values())
                .filter(axis -> axis != this)
                .map(axis -> axis.label(cell))
                .collect(Collectors.joining("|", cell.scenario().key() + "|", ""));
    }

    private static List<Two> firstAgainstRest(List<Cell> cells) {
        return cells.stream()
                .skip(1)
                .map(other -> new Two(cells.getFirst(), other))
                .toList();
    }
}
