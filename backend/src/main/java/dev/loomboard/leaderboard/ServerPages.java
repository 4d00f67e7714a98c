package dev.loomboard.leaderboard;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageCache;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.PublicUrl;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** What was measured of a server, whatever the load: its rows of all boards. */
@Controller
class ServerPages {

    private final LeaderboardStore store;
    private final PageRenderer html;
    private final PageCache kept;
    private final DataTwins twins;
    private final PublicUrl url;

    ServerPages(LeaderboardStore store, PageRenderer html, PageCache kept, DataTwins twins, PublicUrl url) {
        this.store = store;
        this.html = html;
        this.kept = kept;
        this.twins = twins;
        this.url = url;
    }

    @GetMapping("/servers")
    Mono<ResponseEntity<byte[]>> servers(PageContext shell, Caller caller) {
        return kept.page(
                shell, as -> store.servers(caller).map(ServerListPage::new).map(page -> html.show(as, page)));
    }

    @GetMapping("/servers.json")
    Mono<ResponseEntity<byte[]>> serversJson(Caller caller) {
        return store.servers(caller).map(ServerListPage::new).map(page -> twins.json("loomboard.servers/1", page));
    }

    @GetMapping({"/servers/{server}", "/servers/{server}/{variant}"})
    Mono<ResponseEntity<byte[]>> server(
            PageContext shell,
            Caller caller,
            @PathVariable String server,
            @PathVariable(required = false) @Nullable String variant,
            @RequestParam(name = BuildChoice.PARAMETER, required = false) @Nullable String jdk) {
        return kept.page(shell, as -> page(caller, server, variant, jdk).map(page -> html.show(as, page)));
    }

    @GetMapping({"/servers/{server}.json", "/servers/{server}/{variant}.json"})
    Mono<ResponseEntity<byte[]>> json(
            Caller caller,
            @PathVariable String server,
            @PathVariable(required = false) @Nullable String variant,
            @RequestParam(name = BuildChoice.PARAMETER, required = false) @Nullable String jdk) {
        return page(caller, server, variant, jdk).map(page -> twins.json("loomboard.server/1", page.twin()));
    }

    private Mono<ServerPage> page(Caller caller, String server, @Nullable String variant, @Nullable String jdk) {
        return store.outlinesOf(caller, server)
                .filter(all -> isThere(variant, all))
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .flatMap(all -> store.entries(caller, ServerPage.wanted(variant, jdk, all), List.of())
                        .map(entries -> ServerPage.of(server, variant, jdk, all, entries, url.trusted())));
    }

    private static boolean isThere(@Nullable String variant, List<EntrySummary> all) {
        return all.stream()
                .anyMatch(row -> variant == null || variant.equals(row.server().variant()));
    }
}
