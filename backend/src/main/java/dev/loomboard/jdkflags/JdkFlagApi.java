package dev.loomboard.jdkflags;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.Problem;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where agents ask whose default flags are wanted, and say them. */
@RestController
class JdkFlagApi {

    private final JdkFlagStore flags;

    JdkFlagApi(JdkFlagStore flags) {
        this.flags = flags;
    }

    /** By the names that the agent gives them. */
    record BuildsWithoutFlags(List<String> builds) {}

    @GetMapping("/api/agent/v1/jdk-flags")
    Mono<BuildsWithoutFlags> without(Caller.Agent agent) {
        return flags.without(agent.machine()).collectList().map(BuildsWithoutFlags::new);
    }

    @PutMapping("/api/agent/v1/jdk-flags/{build}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> put(Caller.Agent agent, @PathVariable String build, @RequestBody JdkFlags report) {
        return flags.put(agent.machine(), build, report)
                .flatMap(stored -> stored
                        ? Mono.empty()
                        : Mono.error(() -> Problem.notFound().asException()));
    }
}
