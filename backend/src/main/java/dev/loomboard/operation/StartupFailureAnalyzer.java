package dev.loomboard.operation;

import dev.loomboard.kernel.StartupRefusal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints a {@link StartupRefusal} as what it is, not as a stack trace. */
final class StartupFailureAnalyzer extends AbstractFailureAnalyzer<StartupRefusal> {

    @Override
    protected FailureAnalysis analyze(@Nullable Throwable rootFailure, StartupRefusal cause) {
        return new FailureAnalysis(cause.getMessage(), cause.mend(), cause);
    }
}
