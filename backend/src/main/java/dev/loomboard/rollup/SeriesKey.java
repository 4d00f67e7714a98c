package dev.loomboard.rollup;

import java.util.List;

/**
 * What stays the same along a history, as one text that never changes for the same cell. {@code s1} is the version of
 * the form: a new form is a new version, and old histories end.
 *
 * @param family the key without the track: one chart, one line per track
 */
record SeriesKey(String series, String family) {

    private static final String VERSION = "s1";

    static SeriesKey of(FinishedCell cell, String metric) {
        List<String> parts = List.of(
                cell.machine(),
                cell.server(),
                cell.variant(),
                cell.scenarioKey(),
                cell.collector(),
                String.join(" ", cell.jvmOptions()),
                cell.limits().canonical(),
                cell.placement() == null ? "" : cell.placement(),
                cell.protocol(),
                metric);
        StringBuilder family = new StringBuilder(VERSION);
        parts.forEach(part -> family.append('|').append(escaped(part)));
        return new SeriesKey(family + "|" + escaped(cell.track().key()), family.toString());
    }

    /** A bar within a part must not look like one between parts. */
    private static String escaped(String part) {
        return part.replace("%", "%25").replace("|", "%7C");
    }
}
