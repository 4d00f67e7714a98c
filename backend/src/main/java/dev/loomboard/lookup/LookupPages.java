package dev.loomboard.lookup;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** What there is of a name. */
@Controller
class LookupPages {

    /** Nobody types more; what is beyond is not looked for. */
    private static final int LONGEST = 80;

    private final LookupStore store;
    private final PageRenderer html;
    private final DataTwins twins;

    LookupPages(LookupStore store, PageRenderer html, DataTwins twins) {
        this.store = store;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/search")
    Mono<ResponseEntity<byte[]>> search(PageContext shell, Caller caller, @RequestParam(defaultValue = "") String q) {
        return page(caller, q).map(page -> html.show(shell, page));
    }

    @GetMapping("/search.json")
    Mono<ResponseEntity<byte[]>> json(Caller caller, @RequestParam(defaultValue = "") String q) {
        return page(caller, q).map(page -> twins.json("loomboard.lookup/1", page));
    }

    private Mono<LookupPage> page(Caller caller, String q) {
        String stripped = q.strip();
        String asked = stripped.substring(0, Math.min(stripped.length(), LONGEST));
        return (asked.isEmpty() ? Mono.just(List.<Found>of()) : store.find(caller, asked))
                .map(found -> new LookupPage(asked, found));
    }
}
