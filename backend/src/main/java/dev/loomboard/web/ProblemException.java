package dev.loomboard.web;

/** Carries a {@link Problem} from where a request is refused to the one place that answers it. */
public final class ProblemException extends RuntimeException {

    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.title() + ": " + problem.detail(), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
