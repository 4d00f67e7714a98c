package dev.loomboard.machine;

import dev.loomboard.kernel.Caller;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where agents say what their JDK provider does. */
@RestController
class JdkProgressApi {

    private final JdkProgressStore progress;

    JdkProgressApi(JdkProgressStore progress) {
        this.progress = progress;
    }

    @PutMapping("/api/agent/v1/jdk-progress")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> put(Caller.Agent agent, @RequestBody JdkProgress.Report report) {
        String selector = report.selector();
        return report.phase() == JdkProgress.Phase.DONE || selector == null
                ? progress.clear(agent.machine())
                : progress.put(agent.machine(), report, selector);
    }
}
