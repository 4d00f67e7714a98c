package dev.loomboard.artefact;

import dev.loomboard.view.Format;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page of a trial shows of its artefacts.
 *
 * @param diagnosis null, as the classes: it did not come
 * @param files all there are, for download
 */
public record Diagnostics(
        @Nullable Diagnosis diagnosis, @Nullable Classes classes, List<File> files) {

    public static final Diagnostics NONE = new Diagnostics(null, null, List.of());

    private static final int ROWS_SHOWN = 25;

    public Diagnostics {
        files = List.copyOf(files);
    }

    public record File(ArtefactName name, long bytes, String sha256) {}

    public boolean has(ArtefactName name) {
        return files.stream().anyMatch(f -> f.name() == name);
    }

    public <T> List<T> shown(List<T> rows) {
        return rows.subList(0, Math.min(ROWS_SHOWN, rows.size()));
    }

    /** A part of all samples; there are none to divide by when there is no frame. */
    public String share(Diagnosis of, long samples) {
        return Format.percent((double) samples / of.cpu().samples());
    }

    public String millis(long ns) {
        return Format.three(ns / 1e6);
    }

    public String kibi(long bytes) {
        return Format.three(bytes / 1024.0);
    }
}
