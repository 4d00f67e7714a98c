package dev.loomboard.view;

import java.util.ArrayList;
import java.util.List;

/** Sentences with code between backticks, as Markdown and contracts have them. */
public final class MarkedText {

    private MarkedText() {}

    public record Piece(String text, boolean code) {}

    /** Without the backticks. */
    public static List<Piece> pieces(String text) {
        List<Piece> pieces = new ArrayList<>();
        String[] parts = text.split("`", -1);
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].isEmpty()) {
                pieces.add(new Piece(parts[i], i % 2 == 1));
            }
        }
        return pieces;
    }
}
