package dev.loomboard.workspace;

import dev.loomboard.audit.AuditEntry;
import dev.loomboard.audit.AuditFilter;
import dev.loomboard.audit.AuditReadStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The audit log of a token's workspace, for scripts. */
@RestController
class AuditApi {

    private static final int MOST = 500;

    private final AuditReadStore events;

    AuditApi(AuditReadStore events) {
        this.events = events;
    }

    /** @param older what {@code before} must be for the events after these; null: there are none */
    record AuditList(List<AuditEntry> events, @Nullable Long older) {}

    @GetMapping("/api/v1/audit")
    Mono<AuditList> list(Caller.Token token, @RequestParam Map<String, String> query) {
        AuditFilter filter = AuditFilter.of(query);
        return filter.form().isRefused()
                ? Mono.error(Problem.invalid(filter.form().problems()).asException())
                : events.list(token.workspace(), filter, MOST)
                        .map(found -> new AuditList(
                                found,
                                found.size() < MOST ? null : found.getLast().key()));
    }
}
