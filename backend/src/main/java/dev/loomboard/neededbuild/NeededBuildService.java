package dev.loomboard.neededbuild;

import dev.loomboard.bisection.BisectionService;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.regression.RerunService;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a machine still has to measure on. */
@Service
public class NeededBuildService {

    private static final int MOST = 500;

    private final NeededBuildStore needed;
    private final BisectionService bisections;
    private final RerunService reruns;
    private final JdkStore jdks;

    NeededBuildService(NeededBuildStore needed, BisectionService bisections, RerunService reruns, JdkStore jdks) {
        this.needed = needed;
        this.bisections = bisections;
        this.reruns = reruns;
        this.jdks = jdks;
    }

    /** Agents' names, each once, sorted; also of builds that the machine had and has no more. */
    public Mono<List<String>> of(MachineId machine) {
        return Mono.zip(
                        Flux.concat(bisections.awaited(machine), reruns.awaited(machine))
                                .collectList()
                                .flatMapMany(awaited -> needed.named(machine, awaited))
                                .collectList(),
                        needed.baselines(machine).collectList(),
                        jdks.present(machine).collectList())
                .map(found -> names(found.getT1(), found.getT2(), found.getT3()));
    }

    private static List<String> names(List<String> named, List<String> baselines, List<JdkBuild> present) {
        Stream<String> measuredBy =
                JdkSelectors.resolve(present, baselines, 0).builds().stream().map(JdkBuild::agentSlug);
        return Stream.concat(named.stream(), measuredBy)
                .distinct()
                .sorted()
                .limit(MOST)
                .toList();
    }
}
