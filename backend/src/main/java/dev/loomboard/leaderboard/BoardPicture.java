package dev.loomboard.leaderboard;

import dev.loomboard.picture.TablePicture;
import dev.loomboard.view.MetricReading;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of a board as a picture: its rows with places, builds, and the intervals of the column that orders them. */
final class BoardPicture {

    private static final List<String> HEADS = List.of("Rank", "Server", "JDK", "");

    private BoardPicture() {}

    /** @param address of the page */
    static byte[] of(LeaderboardPage board, String address) {
        BoardColumn column = board.drawn();
        boolean drawn = !board.drawnValues().isEmpty();
        String unit = " " + column.scale().unit();
        return new TablePicture(
                        board.title(),
                        HEADS,
                        column.text() + ", 95 % interval",
                        board.axis(),
                        drawn ? column.scale().text(board.axis().from()) : "",
                        drawn ? column.scale().text(board.axis().to()) + unit : "",
                        board.groups().stream()
                                .map(group -> new TablePicture.Section(
                                        board.title(group),
                                        group.rows().stream()
                                                .map(entry -> row(entry, column))
                                                .toList()))
                                .toList(),
                        board.part().whole()
                                ? "A place is a range: rows whose ranges overlap are not told apart."
                                : "Rows " + board.part().from() + " to "
                                        + board.part().to() + " of "
                                        + board.part().of()
                                        + ". A place is a range: rows whose ranges overlap are not told apart.",
                        address)
                .svg();
    }

    private static TablePicture.Row row(Entry entry, BoardColumn column) {
        MetricReading reading = entry.reading(column.metric());
        boolean shown = Badge.shows(entry);
        return new TablePicture.Row(
                List.of(
                        Badge.place(entry),
                        name(entry),
                        entry.jdk().none()
                                ? "none"
                                : entry.jdk().shortVersion() + " " + entry.jdk().vendor(),
                        shown ? Badge.value(column, reading) : ""),
                shown ? span(reading) : null,
                Pareto.colour(entry));
    }

    private static String name(Entry entry) {
        return entry.server().name() + " " + entry.server().variant()
                + (entry.settings().jvmOptions().isEmpty()
                        ? ""
                        : " " + String.join(" ", entry.settings().jvmOptions()));
    }

    private static TablePicture.@Nullable Span span(@Nullable MetricReading reading) {
        return reading == null || !reading.eligible()
                ? null
                : new TablePicture.Span(reading.mean(), reading.low(), reading.high());
    }
}
