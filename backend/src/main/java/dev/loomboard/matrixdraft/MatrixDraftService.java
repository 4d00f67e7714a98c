package dev.loomboard.matrixdraft;

import dev.loomboard.forecast.RunForecastService;
import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.machine.MachineView;
import dev.loomboard.matrix.Matrix;
import dev.loomboard.matrix.MatrixFile;
import dev.loomboard.matrix.MatrixReader;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.matrix.RequirementService;
import dev.loomboard.membership.WorkspaceStore;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.function.Function;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Reads what can be picked, and what a run of the picks would be. */
@Service
class MatrixDraftService {

    /** Of what ships with the service, the one that most people want a part of. */
    private static final String USUAL_BASE = "main/nightly";

    private final MatrixStore matrices;
    private final MachineStore machines;
    private final WorkspaceStore workspaces;
    private final InventoryStore inventories;
    private final JdkStore jdks;
    private final RequirementService requirements;
    private final RunForecastService forecasts;
    private final JsonMapper json;

    MatrixDraftService(
            MatrixStore matrices,
            MachineStore machines,
            WorkspaceStore workspaces,
            InventoryStore inventories,
            JdkStore jdks,
            RequirementService requirements,
            RunForecastService forecasts,
            JsonMapper json) {
        this.matrices = matrices;
        this.machines = machines;
        this.workspaces = workspaces;
        this.inventories = inventories;
        this.jdks = jdks;
        this.requirements = requirements;
        this.forecasts = forecasts;
        this.json = json;
    }

    Mono<DraftPage> page(Caller.Person person, FormState asked) {
        return workspaces
                .where(person, Right.MATRICES)
                .filter(mine -> !mine.isEmpty())
                .switchIfEmpty(Mono.error(() -> Problem.of(403, "forbidden", "Not allowed", "You own no workspace.")
                        .asException()))
                .flatMap(mine -> Mono.zip(
                                machines.runnable(person).collectList(),
                                matrices.listed(person).collectList())
                        .flatMap(found -> {
                            List<MachineView.Summary> all = found.getT1();
                            List<Matrix> bases = found.getT2();
                            DraftPage empty = new DraftPage(all, bases, mine, null);
                            return all.isEmpty() || bases.isEmpty()
                                    ? Mono.just(empty)
                                    : picks(
                                                    asked,
                                                    chosen(
                                                            all,
                                                            m -> DraftPage.named(m.workspace(), m.slug()),
                                                            asked.value(MatrixDraft.MACHINE),
                                                            ""),
                                                    chosen(
                                                            bases,
                                                            m -> DraftPage.named(m.workspace(), m.slug()),
                                                            asked.value(MatrixDraft.BASE),
                                                            USUAL_BASE))
                                            .map(picks -> new DraftPage(all, bases, mine, picks));
                        }));
    }

    /** What is asked for, else the usual, else the first. */
    private static <T> T chosen(List<T> all, Function<T, String> name, String asked, String usual) {
        return all.stream()
                .filter(one -> name.apply(one).equals(asked))
                .findFirst()
                .or(() -> all.stream()
                        .filter(one -> name.apply(one).equals(usual))
                        .findFirst())
                .orElseGet(all::getFirst);
    }

    private Mono<DraftPage.Picks> picks(FormState asked, MachineView.Summary machine, Matrix base) {
        return Mono.zip(jdks.present(machine.key()).collectList(), inventories.servers(machine.key()))
                .flatMap(has -> {
                    Offer offer = new Offer(has.getT2(), has.getT1());
                    boolean ticked = asked.value(MatrixDraft.PICKED)
                            .equals(DraftPage.named(machine.workspace(), machine.slug()));
                    FormState form = ticked ? asked : MatrixDraft.first(asked, base.spec(), offer);
                    return preview(MatrixDraft.of(form, base.spec(), offer), machine, offer)
                            .map(preview -> new DraftPage.Picks(form, machine, base, offer, preview));
                });
    }

    private Mono<DraftPage.Preview> preview(MatrixDraft.Made made, MachineView.Summary machine, Offer offer) {
        MatrixSpec spec = made.spec();
        if (spec == null) {
            return Mono.just(new DraftPage.Preview("", made.problems(), null, null));
        }
        String source = MatrixFile.text(spec, json);
        return switch (MatrixReader.read(source)) {
            case MatrixReader.Refused refused ->
                Mono.just(new DraftPage.Preview(source, refused.problems(), null, null));
            case MatrixReader.Read read ->
                Mono.zip(
                                forecasts.of(
                                        machine.key(), read.spec(), List.of(), offer.builds(), offer.servers(), null),
                                requirements.lacking(read.spec(), machine.key()).defaultIfEmpty(""))
                        .map(found -> new DraftPage.Preview(
                                source, List.of(), found.getT2().isEmpty() ? null : found.getT2(), found.getT1()));
        };
    }
}
