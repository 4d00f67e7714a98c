package dev.loomboard.inbox;

import dev.loomboard.artefact.FlameService;
import dev.loomboard.artefact.Flames;
import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.bisection.BisectionService;
import dev.loomboard.bisection.BisectionStore;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.outbox.IssueText;
import dev.loomboard.outbox.ToldBuild;
import dev.loomboard.regression.CauseSummary;
import dev.loomboard.regression.DefaultRerunService;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.RegressionFilter;
import dev.loomboard.regression.RegressionStore;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PublicUrl;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Puts the page of one change together, and stores what its owners say of it. */
@Service
class TriageService {

    /** What only diagnostic trials count, a number a trial: contention above all. */
    private static final List<String> COUNTS = Metrics.all().list().stream()
            .filter(m -> m.ofTrial() && m.trialKind() == Metric.TrialKinds.DIAGNOSTIC)
            .map(Metric::name)
            .toList();

    /** More say nothing else about a cause. */
    private static final int MOST_OF_A_BUILD = 100;

    private final TriageStore store;
    private final RegressionStore regressions;
    private final FlameService flames;
    private final BisectionService bisections;
    private final BisectionStore bisected;
    private final DefaultRerunService defaults;
    private final AuditStore audit;
    private final PublicUrl publicUrl;
    private final TransactionalOperator transaction;

    TriageService(
            TriageStore store,
            RegressionStore regressions,
            FlameService flames,
            BisectionService bisections,
            BisectionStore bisected,
            DefaultRerunService defaults,
            AuditStore audit,
            PublicUrl publicUrl,
            TransactionalOperator transaction) {
        this.store = store;
        this.regressions = regressions;
        this.flames = flames;
        this.bisections = bisections;
        this.bisected = bisected;
        this.defaults = defaults;
        this.audit = audit;
        this.publicUrl = publicUrl;
        this.transaction = transaction;
    }

    /** @param form as it was typed, or as it stands */
    Mono<RegressionPage> page(Regression regression, Caller caller, FormState form) {
        boolean open = regression.regression() && regression.retracted() == null;
        boolean mayTriage = open && caller.may(Right.TRIAGE, regression.workspaceKey());
        boolean mayLookInto = open && caller.may(Right.LOOK_INTO, regression.workspaceKey());
        return Mono.zip(
                        store.events(regression.key()),
                        sides(regression, caller),
                        mayTriage
                                ? store.members(regression.workspaceKey())
                                : Mono.just(List.<RegressionPage.Member>of()),
                        bisected.shown(List.of(regression.key()), caller).collectList(),
                        optional(regression.regression() ? bisections.plan(regression) : Mono.empty()),
                        optional(defaults.changes(regression, caller)),
                        defaults.of(regression, caller).collectList(),
                        ofBuild(regression, caller))
                .map(found -> new RegressionPage(
                        regression,
                        found.getT1(),
                        found.getT2().of(),
                        found.getT2().flames(),
                        found.getT6().orElse(null),
                        found.getT7(),
                        found.getT8().isEmpty() ? List.of() : CauseSummary.sentences(found.getT8()),
                        regression.state().confirmed() && regression.retracted() == null
                                ? IssueText.of(ToldBuild.of(List.of(regression), found.getT8()), publicUrl.trusted())
                                : null,
                        found.getT4().isEmpty() ? null : found.getT4().getFirst(),
                        found.getT5().orElse(null),
                        found.getT3(),
                        form,
                        mayTriage,
                        mayLookInto));
    }

    /** All regressions of its build, which together point to a cause; none of what is no regression. */
    private Mono<List<Regression>> ofBuild(Regression regression, Caller caller) {
        if (!regression.regression() || regression.retracted() != null) {
            return Mono.just(List.of());
        }
        RegressionFilter sameBuild =
                new RegressionFilter(null, null, regression.build().slug(), null, MOST_OF_A_BUILD);
        return regressions
                .list(caller, sameBuild, RegressionFilter.Kind.REGRESSION)
                .filter(one -> one.retracted() == null)
                .collectList()
                .map(all -> all.isEmpty() ? List.of(regression) : all);
    }

    /** @param flames null: of a build nothing is known */
    private record Sides(
            Map<String, RegressionPage.Side> of, @Nullable Flames flames) {}

    private Mono<Sides> sides(Regression regression, Caller caller) {
        return store.sides(regression.key(), COUNTS, caller).flatMap(found -> {
            RegressionPage.Side good = found.get(RegressionPage.GOOD);
            RegressionPage.Side build = found.get(RegressionPage.BUILD);
            return good == null || build == null
                    ? Mono.just(new Sides(found, null))
                    : flames.between(good.cell(), build.cell(), caller)
                            .map(flames -> new Sides(found, flames))
                            .defaultIfEmpty(new Sides(found, null));
        });
    }

    private static <T> Mono<Optional<T>> optional(Mono<T> of) {
        return of.map(Optional::of).defaultIfEmpty(Optional.empty());
    }

    /** What says nothing new leaves no trace; false: it is no confirmed regression any more. */
    Mono<Boolean> triage(Regression regression, Caller.Person person, Triage triage) {
        if (!triage.changes(regression)) {
            return Mono.just(true);
        }
        return store.put(regression.key(), person, triage)
                .delayUntil(was -> audit.append(new AuditEvent(
                        regression.workspaceKey(),
                        person.actor(),
                        "regression.triage",
                        regression.id(),
                        Map.of("from", was, "to", triage.becomes()))))
                .hasElement()
                .as(transaction::transactional);
    }
}
