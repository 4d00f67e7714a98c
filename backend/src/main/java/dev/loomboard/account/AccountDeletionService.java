package dev.loomboard.account;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.credential.PasswordCheckService;
import dev.loomboard.credential.Proof;
import dev.loomboard.credential.ProofAsked;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Secret;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Deletes a person's account at the person's own wish. */
@Service
class AccountDeletionService {

    private final AccountDeletionStore deletions;
    private final PasswordCheckService passwords;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    AccountDeletionService(
            AccountDeletionStore deletions,
            PasswordCheckService passwords,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.deletions = deletions;
        this.passwords = passwords;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** Why the account cannot be deleted yet; empty: it can. */
    Mono<List<String>> reasons(Caller.Person person) {
        return deletions
                .onlyOwned(person)
                .zipWith(deletions.onlyAdministrator(person), AccountDeletionService::reasons)
                .as(transaction::transactional);
    }

    /**
     * What the form has to ask for.
     *
     * @param session the one that asks; null: there is none
     */
    Mono<ProofAsked> asked(Caller.Person person, @Nullable Secret session) {
        return passwords.asked(person, session);
    }

    Mono<DeletionResult> delete(Caller.Person person, Proof proof) {
        return passwords.check(person, proof, "account.delete-failed").flatMap(answer -> switch (answer) {
            case RIGHT -> delete(person);
            case WRONG -> Mono.just(new DeletionResult.WrongPassword());
            case THROTTLED -> Mono.just(new DeletionResult.Throttled());
        });
    }

    private Mono<DeletionResult> delete(Caller.Person person) {
        return reasons(person)
                .flatMap(reasons -> reasons.isEmpty()
                        ? forget(person)
                        : Mono.<DeletionResult>just(new DeletionResult.Needed(reasons)))
                .as(transaction::transactional);
    }

    private Mono<DeletionResult> forget(Caller.Person person) {
        return deletions
                .forget(person, clock.instant())
                .then(audit.append(new AuditEvent(null, person.id(), "account.delete", person.id(), Map.of())))
                .thenReturn(new DeletionResult.Deleted());
    }

    private static List<String> reasons(List<String> onlyOwned, boolean onlyAdministrator) {
        List<String> reasons = new ArrayList<>();
        onlyOwned.forEach(workspace -> reasons.add("You are the only owner of the workspace “" + workspace
                + "”. Make somebody else an owner of it, or delete it."));
        if (onlyAdministrator) {
            reasons.add(
                    "You are the only administrator of this installation. Its operator has to name another one first.");
        }
        return reasons;
    }
}
