package dev.loomboard.registration;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where agents learn what they may send that services of before refuse as an unknown field. */
@RestController
class FeaturesApi {

    /**
     * Workloads of several operations, in inventories and in batches; qualifications of a cell of each class of resources; trials
     * with a database that the agent started.
     */
    private static final Features ALL =
            new Features(List.of("mixes", "qualification-by-resource", "started-databases"));

    record Features(List<String> features) {}

    @GetMapping("/api/agent/v1/features")
    Features features() {
        return ALL;
    }
}
