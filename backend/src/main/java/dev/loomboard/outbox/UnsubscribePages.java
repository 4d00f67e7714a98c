package dev.loomboard.outbox;

import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import reactor.core.publisher.Mono;

/** Ends mails by the link that each has, signed in or not. A mail program posts to it by itself (RFC 8058); a person is asked first. */
@Controller
class UnsubscribePages {

    private final UnsubscribeStore unsubscribes;
    private final PageRenderer html;

    UnsubscribePages(UnsubscribeStore unsubscribes, PageRenderer html) {
        this.unsubscribes = unsubscribes;
        this.html = html;
    }

    @GetMapping("/unsubscribe/{link}")
    Mono<ResponseEntity<byte[]>> ask(PageContext shell, @PathVariable String link) {
        return unsubscribes
                .read(link)
                .flatMap(unsubscribes::workspace)
                .map(workspace -> page(shell, workspace, link, false))
                .switchIfEmpty(unknown());
    }

    @PostMapping("/unsubscribe/{link}")
    Mono<ResponseEntity<byte[]>> end(PageContext shell, @PathVariable String link) {
        return unsubscribes
                .read(link)
                .flatMap(read -> unsubscribes.workspace(read).delayUntil(workspace -> unsubscribes.end(read)))
                .map(workspace -> page(shell, workspace, link, true))
                .switchIfEmpty(unknown());
    }

    private ResponseEntity<byte[]> page(PageContext shell, String workspace, String link, boolean ended) {
        return html.show(shell, new UnsubscribePage(workspace, PeopleUrls.unsubscribe(link), ended));
    }

    private static <T> Mono<T> unknown() {
        return Mono.error(() -> Problem.notFound().asException());
    }
}
