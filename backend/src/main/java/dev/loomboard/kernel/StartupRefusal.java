package dev.loomboard.kernel;

import org.jspecify.annotations.Nullable;

/** The service cannot start, for a reason its operator can mend: one sentence says what, one says how. */
public final class StartupRefusal extends RuntimeException {

    private final String mend;

    public StartupRefusal(String what, String mend) {
        this(what, mend, null);
    }

    public StartupRefusal(String what, String mend, @Nullable Throwable cause) {
        super(what, cause);
        this.mend = mend;
    }

    public String mend() {
        return mend;
    }
}
