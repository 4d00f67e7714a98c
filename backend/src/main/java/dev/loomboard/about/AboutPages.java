package dev.loomboard.about;

import dev.loomboard.web.Html;
import dev.loomboard.web.Shell;
import dev.loomboard.web.Twins;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Pages that need no database. */
@Controller
class AboutPages {

    private final Html html;
    private final Twins twins;

    AboutPages(Html html, Twins twins) {
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/patterns")
    ResponseEntity<byte[]> patterns(Shell shell) {
        return html.show(shell, PatternsPage.invented());
    }

    @GetMapping("/patterns.json")
    ResponseEntity<byte[]> patternsJson() {
        return twins.json("loomboard.patterns/1", PatternsPage.invented());
    }
}
