package dev.loomboard.artefact;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Takes artefacts: each is stored whole and once, or not at all. */
@Service
class ArtefactService {

    private final ArtefactStore artefacts;
    private final TransactionalOperator transaction;
    private final JsonMapper json;
    private final QuotaService quotas;

    ArtefactService(ArtefactStore artefacts, TransactionalOperator transaction, JsonMapper json, QuotaService quotas) {
        this.artefacts = artefacts;
        this.transaction = transaction;
        this.json = json;
        this.quotas = quotas;
    }

    /** Completes once the artefact is committed, now or before. */
    Mono<Void> put(MachineId machine, String trialId, String file, @Nullable String sha256, byte[] content) {
        return Mono.fromCallable(() -> Upload.read(file, sha256, content, json))
                .subscribeOn(Schedulers.boundedElastic())
                .onErrorMap(
                        JacksonException.class, e -> new ServerWebInputException("an artefact cannot be read", null, e))
                .flatMap(upload -> switch (upload) {
                    case Upload.Refused refused ->
                        Mono.<Void>error(refused.problem().asException());
                    case Upload.Sound sound -> admit(machine, trialId, sound).as(transaction::transactional);
                });
    }

    private Mono<Void> admit(MachineId machine, String trialId, Upload.Sound sound) {
        return artefacts
                .lock(machine, trialId)
                .switchIfEmpty(
                        Mono.error(() -> Problem.gone("unknown-trial", "This machine has no trial " + trialId + ".")
                                .asException()))
                .flatMap(trial -> artefacts
                        .same(trial.key(), sound.name(), sound.sha256())
                        .flatMap(same -> same
                                ? Mono.just(true)
                                : Mono.<Boolean>error(Problem.conflict(
                                                "other-content",
                                                "Trial " + trialId + " has another "
                                                        + sound.name().file() + ".")
                                        .asException()))
                        .switchIfEmpty(Mono.defer(() -> store(trial, sound).thenReturn(true))))
                .then();
    }

    /** 413 and not 429, which would have the agent wait with all that it measured: it sets the artefact aside and goes on. */
    private Mono<Void> store(ArtefactStore.Trial trial, Upload.Sound sound) {
        return quotas.addArtefact(new WorkspaceId(trial.workspace()), sound.content().length)
                .flatMap(full -> Mono.<Void>error(Problem.of(
                                413,
                                "quota",
                                "Quota used up",
                                QuotaService.sentence(full) + " LOOMBOARD_ARTEFACT_QUOTA is for all workspaces.")
                        .asException()))
                .switchIfEmpty(Mono.defer(() -> artefacts.add(trial, sound)));
    }
}
