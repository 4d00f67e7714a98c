package dev.loomboard.neededbuild;

import dev.loomboard.kernel.Caller;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where an agent asks, before its cache of builds removes any. */
@RestController
class NeededBuildApi {

    private final NeededBuildService needed;

    NeededBuildApi(NeededBuildService needed) {
        this.needed = needed;
    }

    /** By the names that the agent gives them. */
    record NeededBuilds(List<String> builds) {}

    @GetMapping("/api/agent/v1/needed-builds")
    Mono<NeededBuilds> needed(Caller.Agent agent) {
        return needed.of(agent.machine()).map(NeededBuilds::new);
    }
}
