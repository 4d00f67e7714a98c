package dev.loomboard.setup;

import dev.loomboard.credential.NewAccount;
import dev.loomboard.kernel.Secret;
import dev.loomboard.session.Entrance;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The first administrator. */
@Controller
class SetupPages {

    private final SetupService setup;
    private final PageRenderer html;

    SetupPages(SetupService setup, PageRenderer html) {
        this.setup = setup;
        this.html = html;
    }

    @GetMapping("/setup/{token}")
    Mono<ResponseEntity<byte[]>> form(PageContext shell, @PathVariable String token) {
        return link(token)
                .filterWhen(setup::works)
                .map(link -> html.show(shell, new SetupPage(token, FormState.with(Map.of()))))
                .switchIfEmpty(linkIsOver());
    }

    @PostMapping("/setup/{token}")
    Mono<ResponseEntity<byte[]>> setup(PageContext shell, ServerWebExchange exchange, @PathVariable String token) {
        return exchange.getFormData().map(FormState::typed).flatMap(form -> {
            NewAccount account = NewAccount.of(form);
            List<FieldError> problems = account.problems();
            return problems.isEmpty()
                    ? link(token)
                            .flatMap(link -> setup.use(link, account, Entrance.visitor(exchange)))
                            .map(session -> Entrance.enter(exchange, session, Urls.home()))
                            .switchIfEmpty(linkIsOver())
                    : Mono.just(html.show(
                            HttpStatus.UNPROCESSABLE_CONTENT, shell, new SetupPage(token, form.refused(problems))));
        });
    }

    private static Mono<Secret> link(String token) {
        return Secret.isOf("lbl", token) ? Mono.just(new Secret(token)) : Mono.empty();
    }

    private static <T> Mono<T> linkIsOver() {
        return Mono.error(Problem.of(
                        404,
                        "setup-link",
                        "This link does not work",
                        "It was used, or is more than a day old. While there is no administrator,"
                                + " every start of the service prints a new one.")
                .asException());
    }
}
