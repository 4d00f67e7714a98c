package dev.loomboard.operation;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** A taken port, in the words of our own settings; before Boot's, which names its property. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PortFailureAnalyzer extends AbstractFailureAnalyzer<PortInUseException> {

    @Override
    protected FailureAnalysis analyze(@Nullable Throwable rootFailure, PortInUseException cause) {
        return new FailureAnalysis(
                "Port " + cause.getPort() + " is taken by another program.",
                "Stop that program, or set LOOMBOARD_PORT to a free port.",
                cause);
    }
}
