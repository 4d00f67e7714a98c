package dev.loomboard.forecast;

import dev.loomboard.expansion.Expansion;
import dev.loomboard.expansion.TrialSecondsStore;
import dev.loomboard.inventory.ServerOffer;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.verdict.DeclaredTest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Reads what a forecast is made of. */
@Service
public class RunForecastService {

    private final TrialSecondsStore seconds;
    private final SeriesSpreadStore spreads;

    RunForecastService(TrialSecondsStore seconds, SeriesSpreadStore spreads) {
        this.seconds = seconds;
        this.spreads = spreads;
    }

    /**
     * @param selectors in place of the matrix's own; empty: the matrix's own
     * @param builds of the machine
     * @param servers of the machine
     * @param control internal key of a build that is measured besides; null: none
     */
    public Mono<RunForecast> of(
            MachineId machine,
            MatrixSpec spec,
            List<String> selectors,
            List<JdkBuild> builds,
            List<ServerOffer> servers,
            @Nullable Long control) {
        Expansion.Result laidOut = Expansion.of(spec, selectors, builds, servers, group -> true, control, 0);
        return Mono.zip(seconds.of(machine, spec), spreads.of(machine, spec.protocol(), DeclaredTest.COMPARED))
                .map(known -> RunForecast.of(spec, laidOut, control, known.getT1(), known.getT2()));
    }
}
