package dev.loomboard.bundle;

/** Why a file is not taken as a bundle, in words: which member, what is wrong with it. */
public final class BundleRefusal extends RuntimeException {

    private static final int LONGEST = 600;

    public BundleRefusal(String message) {
        super(shown(message), null, false, false);
    }

    /** @param member name of the part of the bundle that is at fault */
    public static BundleRefusal of(String member, String what) {
        return new BundleRefusal(member + " " + what);
    }

    /** What the file said may be in it. */
    private static String shown(String message) {
        String line = message.replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }

    public String words() {
        return String.valueOf(getMessage());
    }
}
