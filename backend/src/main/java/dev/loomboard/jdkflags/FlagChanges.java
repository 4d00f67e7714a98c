package dev.loomboard.jdkflags;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What flags a build has that another before it had not, and the other way round, on one machine.
 *
 * @param changed in value or kind
 * @param notCompared how many values differ that a JVM derives from the host, which changed between the two readings
 */
public record FlagChanges(
        Machine machine, List<Change> changed, List<Change> added, List<Change> removed, int notCompared) {

    /** What agents set themselves, so that its default is of no consequence: counters, attach, recorder. */
    private static final Pattern SET_ANYWAY = Pattern.compile(
            "UsePerfData|PerfDisableSharedMem|StartAttachListener|DisableAttachMechanism|DisableExplicitGC"
                    + "|ExplicitGCInvokesConcurrent|StartFlightRecording|FlightRecorderOptions|Flags|VMOptionsFile|OnError"
                    + "|OnOutOfMemoryError");

    /** What is set besides in cells that are pinned: collector and heap. */
    private static final Pattern SET_WHERE_PINNED =
            Pattern.compile("(Initial|Max|Min)(HeapSize|RAMPercentage)|Use\\w+GC|ZGenerational");

    /** Numbers and words, which need no quotes. */
    private static final Pattern SETTABLE = Pattern.compile("[A-Za-z0-9._+-]{1,60}");

    private static final Comparator<Change> ORDER =
            Comparator.comparing((Change change) -> change.newest().kind()).thenComparing(Change::name);

    /** Where the flags of both were read. */
    public record Machine(String workspace, String slug, String name) {}

    /**
     * @param before null: the flag is new
     * @param after null: the flag is gone
     */
    public record Change(
            String name, @Nullable JdkFlag before, @Nullable JdkFlag after) {

        /**
         * A value changed that a matrix can have as before.
         *
         * @param pinned collector and heap are set
         */
        public boolean revertible(boolean pinned) {
            return settable() && !(pinned && SET_WHERE_PINNED.matcher(name).matches());
        }

        private boolean settable() {
            return before != null
                    && after != null
                    && !before.value().equals(after.value())
                    && SETTABLE.matcher(before.value()).matches()
                    && !SET_ANYWAY.matcher(name).matches();
        }

        /** The options that set it to what it was; empty: none do. */
        public List<String> optionsAsBefore() {
            return before == null || after == null || !settable()
                    ? List.of()
                    : Stream.concat(
                                    Stream.of(
                                                    before.kind().unlocking(),
                                                    after.kind().unlocking())
                                            .filter(Objects::nonNull)
                                            .distinct(),
                                    Stream.of(option(before.value())))
                            .toList();
        }

        private String option(String value) {
            return switch (value) {
                case "true" -> "-XX:+" + name;
                case "false" -> "-XX:-" + name;
                default -> "-XX:" + name + "=" + value;
            };
        }

        JdkFlag newest() {
            return Objects.requireNonNull(after == null ? before : after, "one of both is there");
        }

        public String valueBefore() {
            return shown(before);
        }

        public String valueAfter() {
            return shown(after);
        }

        /** Texts may be empty: no file, no list. */
        private static String shown(@Nullable JdkFlag flag) {
            return flag == null ? "" : flag.value().isEmpty() ? "(empty)" : flag.value();
        }

        /** Its kind, or both when that changed. */
        public String kinds() {
            return before == null || after == null || before.kind() == after.kind()
                    ? newest().kind().wire()
                    : before.kind().wire() + " → " + after.kind().wire();
        }
    }

    public FlagChanges {
        changed = List.copyOf(changed);
        added = List.copyOf(added);
        removed = List.copyOf(removed);
    }

    /** @param sameHost the machine was the same host when either was read */
    static FlagChanges between(
            Machine machine, Map<String, JdkFlag> before, Map<String, JdkFlag> after, boolean sameHost) {
        List<Change> changed = new ArrayList<>();
        List<Change> added = new ArrayList<>();
        List<Change> removed = new ArrayList<>();
        int notCompared = 0;
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            Change change = new Change(name, before.get(name), after.get(name));
            if (change.before() == null) {
                added.add(change);
            } else if (change.after() == null) {
                removed.add(change);
            } else if (change.before().kind() != change.after().kind()) {
                changed.add(change);
            } else if (!change.before().value().equals(change.after().value())) {
                if (sameHost || !change.before().ergonomic() && !change.after().ergonomic()) {
                    changed.add(change);
                } else {
                    notCompared++;
                }
            }
        }
        changed.sort(ORDER);
        added.sort(ORDER);
        removed.sort(ORDER);
        return new FlagChanges(machine, changed, added, removed, notCompared);
    }

    /**
     * Those of the changed that can be set to what they were.
     *
     * @param pinned collector and heap are set
     */
    public List<Change> revertible(boolean pinned) {
        return changed.stream().filter(change -> change.revertible(pinned)).toList();
    }

    public boolean none() {
        return changed.isEmpty() && added.isEmpty() && removed.isEmpty();
    }
}
