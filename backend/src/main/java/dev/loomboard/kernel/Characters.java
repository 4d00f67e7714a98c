package dev.loomboard.kernel;

import org.jspecify.annotations.Nullable;

/** Characters that a text must not have: such as PostgreSQL cannot store, and such as make a text look like another. */
public final class Characters {

    private Characters() {}

    /** Why PostgreSQL cannot store the text: U+0000, or half of a surrogate pair, which is no character. Null: it can. */
    public static @Nullable String unstorable(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
                return refused(c);
            }
        }
        return null;
    }

    /**
     * Why people must not type the text: what cannot be stored, a control character that is neither tab nor line end, or one
     * that turns the direction of what follows, so that a name can be made to look like another's. Null: they may.
     */
    public static @Nullable String deceptive(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean control = Character.isISOControl(c) && c != '\t' && c != '\n' && c != '\r';
            if (control || turnsDirection(c)) {
                return refused(c);
            }
        }
        return unstorable(text);
    }

    private static boolean turnsDirection(char c) {
        return (c >= '\u202A' && c <= '\u202E') || (c >= '\u2066' && c <= '\u2069');
    }

    private static String refused(int c) {
        return "must not contain U+%04X".formatted(c);
    }
}
