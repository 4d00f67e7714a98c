package dev.loomboard.history;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.kernel.Caller;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Adds and removes notes, with the audit log. */
@Service
class NoteService {

    private final NoteStore notes;
    private final AuditStore audit;
    private final TransactionalOperator transaction;

    NoteService(NoteStore notes, AuditStore audit, TransactionalOperator transaction) {
        this.notes = notes;
        this.audit = audit;
        this.transaction = transaction;
    }

    /** The note's external id; none when the series has no point on its build. */
    Mono<String> add(NoteStore.Target target, NewNote note, Caller.Person person) {
        return notes.add(target, note, person)
                .flatMap(id -> audit.append(event(target, person, "annotation.add", id, Map.of("note", note.text())))
                        .thenReturn(id))
                .as(transaction::transactional);
    }

    /** The log keeps what it said. False: there was none. */
    Mono<Boolean> remove(NoteStore.Target target, String note, Caller.Person person) {
        return notes.remove(target, note)
                .flatMap(gone -> audit.append(event(
                                target,
                                person,
                                "annotation.remove",
                                note,
                                Map.of("day", gone.day().toString(), "note", gone.text())))
                        .thenReturn(true))
                .defaultIfEmpty(false)
                .as(transaction::transactional);
    }

    private static AuditEvent event(
            NoteStore.Target target, Caller.Person person, String action, String id, Map<String, String> detail) {
        return new AuditEvent(target.workspace(), person.actor(), action, id, detail);
    }
}
