package dev.loomboard.firststeps;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Urls;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import reactor.core.publisher.Mono;

/** The steps as they are now. */
@Controller
class FirstStepsPages {

    private final FirstStepsService steps;
    private final PageRenderer html;

    FirstStepsPages(FirstStepsService steps, PageRenderer html) {
        this.steps = steps;
        this.html = html;
    }

    /** The list alone where htmx asks for it; when there is a result, the page that shows the list is to be loaded anew. */
    @GetMapping("/first-steps")
    Mono<ResponseEntity<byte[]>> now(PageContext shell, Caller.Person person) {
        return steps.of(person)
                .map(page -> page.done() && shell.htmx() ? anew() : html.show(shell, page))
                .defaultIfEmpty(PageRenderer.seeOther(Urls.leaderboard()));
    }

    private static ResponseEntity<byte[]> anew() {
        return ResponseEntity.noContent().header("HX-Refresh", "true").build();
    }
}
