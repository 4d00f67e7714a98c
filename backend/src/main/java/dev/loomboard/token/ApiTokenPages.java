package dev.loomboard.token;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.Secret;
import dev.loomboard.membership.WorkspaceStore;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** API tokens: one's own and those of one's workspaces, made here and shown once. */
@Controller
class ApiTokenPages {

    private final ApiTokenStore tokens;
    private final ApiTokenService service;
    private final WorkspaceStore workspaces;
    private final PageRenderer html;
    private final Clock clock;

    ApiTokenPages(
            ApiTokenStore tokens, ApiTokenService service, WorkspaceStore workspaces, PageRenderer html, Clock clock) {
        this.tokens = tokens;
        this.service = service;
        this.workspaces = workspaces;
        this.html = html;
        this.clock = clock;
    }

    @GetMapping("/account/tokens")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller.Person person) {
        return page(HttpStatus.OK, shell, person, NewApiToken.blank(), null);
    }

    /** The answer is the page itself, not a way to it: the secret must stand in no address. */
    @PostMapping("/account/tokens")
    Mono<ResponseEntity<byte[]>> create(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return Mono.zip(exchange.getFormData().map(FormState::typed), workspaces.where(person, Right.TOKENS))
                .map(both -> NewApiToken.of(both.getT1(), both.getT2()))
                .flatMap(typed -> {
                    NewApiToken token = typed.token();
                    return token == null
                            ? page(HttpStatus.UNPROCESSABLE_CONTENT, shell, person, typed.form(), null)
                            : service.create(token, person)
                                    .flatMap(secret ->
                                            page(HttpStatus.CREATED, shell, person, NewApiToken.blank(), secret));
                });
    }

    @PostMapping("/account/tokens/{id}/revoke")
    Mono<ResponseEntity<byte[]>> revoke(Caller.Person person, @PathVariable String id) {
        return Mono.just(id)
                .filter(text -> ExternalId.isOf("tok", text))
                .flatMap(token -> service.revoke(token, person))
                .filter(revoked -> revoked)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .thenReturn(PageRenderer.seeOther(PeopleUrls.tokens()));
    }

    private Mono<ResponseEntity<byte[]>> page(
            HttpStatus status, PageContext shell, Caller.Person person, FormState form, @Nullable Secret made) {
        Instant now = clock.instant();
        return Mono.zip(tokens.of(person, now), workspaces.where(person, Right.TOKENS))
                .map(found -> html.showNotStored(
                        status,
                        shell,
                        new ApiTokensPage(
                                found.getT1(), found.getT2(), form, made == null ? null : made.value(), now)));
    }
}
