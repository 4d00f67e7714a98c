package dev.loomboard.history;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Right;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What owners of a workspace note on its series. A form that is refused is shown again as it was typed. */
@Controller
class NotePages {

    private final SeriesStore series;
    private final NoteStore notes;
    private final NoteService service;
    private final PageRenderer html;

    NotePages(SeriesStore series, NoteStore notes, NoteService service, PageRenderer html) {
        this.series = series;
        this.notes = notes;
        this.service = service;
        this.html = html;
    }

    @PostMapping("/series/{id}/notes")
    Mono<ResponseEntity<byte[]>> add(
            PageContext shell, Caller.Person person, ServerWebExchange exchange, @PathVariable String id) {
        return owned(person, id).zipWith(exchange.getFormData()).flatMap(both -> {
            NewNote.Typed typed = NewNote.of(FormState.typed(both.getT2()));
            NewNote note = typed.note();
            return note == null
                    ? refused(shell, person, id, typed.form())
                    : service.add(both.getT1(), note, person)
                            .map(added -> seeOther(Urls.series(id) + "#notes"))
                            .switchIfEmpty(Mono.defer(() -> refused(shell, person, id, noSuchBuild(typed.form()))));
        });
    }

    @PostMapping("/series/{id}/notes/{note}/remove")
    Mono<ResponseEntity<byte[]>> remove(Caller.Person person, @PathVariable String id, @PathVariable String note) {
        return owned(person, id)
                .flatMap(target -> service.remove(target, note, person))
                .filter(removed -> removed)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .thenReturn(seeOther(Urls.series(id) + "#notes"));
    }

    private Mono<NoteStore.Target> owned(Caller.Person person, String id) {
        return (ExternalId.isOf("ser", id) ? notes.target(id, person) : Mono.<NoteStore.Target>empty())
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .filter(target -> person.may(Right.NOTE, target.workspace()))
                .switchIfEmpty(Mono.error(() -> Problem.of(
                                403,
                                "members-only",
                                "Only for members",
                                "Notes are written by members and owners of the series' workspace. Ask one of them.")
                        .asException()));
    }

    private Mono<ResponseEntity<byte[]>> refused(PageContext shell, Caller.Person person, String id, FormState form) {
        return series.family(id, person, SeriesStore.Depth.PAGE)
                .map(family -> html.show(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        shell.whole(),
                        HistoryPage.of(family, HistoryRange.ALL, form)))
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }

    private static FormState noSuchBuild(FormState form) {
        return form.refused(List.of(new FieldError("build", "This series has no point on that build.")));
    }
}
