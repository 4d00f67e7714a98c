package dev.loomboard.web;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Carries a {@link Problem} from where a request is refused to the one place that answers it. */
public final class ProblemException extends RuntimeException {

    private final transient Problem problem;
    private final @Nullable Duration retryAfter;

    /** @param retryAfter when it is worth trying again, in whole seconds; null: that is not known */
    ProblemException(Problem problem, @Nullable Duration retryAfter) {
        super(problem.title() + ": " + problem.detail(), null, false, false);
        this.problem = problem;
        this.retryAfter = retryAfter;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    public Problem problem() {
        return problem;
    }
}
