package dev.loomboard.matrixdraft;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** The form in which a matrix is picked together. It stores nothing: the form of a new matrix does. */
@Controller
class MatrixDraftPages {

    private final MatrixDraftService drafts;
    private final PageRenderer html;

    MatrixDraftPages(MatrixDraftService drafts, PageRenderer html) {
        this.drafts = drafts;
        this.html = html;
    }

    @GetMapping("/matrices/new/draft")
    Mono<ResponseEntity<byte[]>> draft(
            PageContext shell, Caller.Person person, @RequestParam MultiValueMap<String, String> query) {
        return drafts.page(person, FormState.typed(query)).map(page -> html.show(shell, page));
    }
}
