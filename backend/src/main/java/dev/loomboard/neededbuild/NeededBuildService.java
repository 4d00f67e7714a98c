package dev.loomboard.neededbuild;

import dev.loomboard.bisection.BisectionService;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.MachineId;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** What a machine still has to measure on. */
@Service
public class NeededBuildService {

    private static final int MOST = 500;

    private final NeededBuildStore needed;
    private final BisectionService bisections;
    private final JdkStore jdks;

    NeededBuildService(NeededBuildStore needed, BisectionService bisections, JdkStore jdks) {
        this.needed = needed;
        this.bisections = bisections;
        this.jdks = jdks;
    }

    /** Agents' names, each once, sorted; also of builds that the machine had and has no more. */
    public Mono<List<String>> of(MachineId machine) {
        return Mono.zip(
                        bisections
                                .awaited(machine)
                                .collectList()
                                .flatMapMany(awaited -> needed.bySearchesAndControls(machine, awaited))
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
