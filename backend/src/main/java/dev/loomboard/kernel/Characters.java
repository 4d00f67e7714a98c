package dev.loomboard.kernel;

import org.jspecify.annotations.Nullable;

/** Characters that a text must not have: such as PostgreSQL cannot store, and such as make a text look like another. */
public final class Characters {

    /** U+FFFD. */
    private static final byte[] UNKNOWN = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

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

    /**
     * Makes what is {@link #deceptive} visible on a page, in place: what agents report, and what was typed before it was
     * refused, may hold it. U+FFFD is as long as the characters that turn the direction.
     */
    public static void expose(byte[] utf8) {
        for (int i = 0; i < utf8.length; i++) {
            int b = utf8[i] & 0xFF;
            int next = i + 1 < utf8.length ? utf8[i + 1] & 0xFF : 0;
            int last = i + 2 < utf8.length ? utf8[i + 2] & 0xFF : 0;
            if ((b < ' ' && b != '\t' && b != '\n' && b != '\r') || b == 0x7F) {
                utf8[i] = '?';
            } else if (b == 0xC2 && next >= 0x80 && next <= 0x9F) {
                utf8[i] = '?';
                utf8[i + 1] = '?';
            } else if (b == 0xE2
                    && ((next == 0x80 && last >= 0xAA && last <= 0xAE)
                            || (next == 0x81 && last >= 0xA6 && last <= 0xA9))) {
                System.arraycopy(UNKNOWN, 0, utf8, i, UNKNOWN.length);
            }
        }
    }

    private static boolean turnsDirection(char c) {
        return (c >= '\u202A' && c <= '\u202E') || (c >= '\u2066' && c <= '\u2069');
    }

    private static String refused(int c) {
        return "must not contain U+%04X".formatted(c);
    }
}
