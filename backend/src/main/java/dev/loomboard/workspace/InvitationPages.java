package dev.loomboard.workspace;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.membership.Invitation;
import dev.loomboard.membership.InvitationService;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import dev.loomboard.web.route.Routes;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.PathContainer;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import reactor.core.publisher.Mono;

/** Where the link of an invitation leads: to one click, or to signing in and back. */
@Controller
class InvitationPages {

    private final InvitationService invitations;
    private final PageRenderer html;

    InvitationPages(InvitationService invitations, PageRenderer html) {
        this.invitations = invitations;
        this.html = html;
    }

    @GetMapping("/invitations/{token}")
    Mono<ResponseEntity<byte[]>> invitation(PageContext shell, Caller caller, @PathVariable String token) {
        return valid(invitations.valid(token))
                .map(found -> new InvitationPage(
                        found,
                        PeopleUrls.invitation(token),
                        caller instanceof Caller.Person,
                        caller instanceof Caller.Person
                                && caller.mayRead(found.into().key()),
                        signUp(token)))
                .map(page -> html.showNotStored(HttpStatus.OK, shell, page));
    }

    @PostMapping("/invitations/{token}")
    Mono<ResponseEntity<byte[]>> accept(Caller.Person person, @PathVariable String token) {
        return valid(invitations.accept(token, person))
                .map(found -> seeOther(PeopleUrls.workspace(found.into().slug())));
    }

    private static Mono<Invitation> valid(Mono<Invitation> found) {
        return found.switchIfEmpty(Mono.error(() -> Problem.of(
                        404,
                        "invitation",
                        "This invitation does not work",
                        "It was used, was revoked, or has expired. Ask the sender for a new one.")
                .asException()));
    }

    private static @Nullable String signUp(String token) {
        return Routes.find(HttpMethod.GET, PathContainer.parsePath(PeopleUrls.signUp()))
                        .isPresent()
                ? PeopleUrls.signUpThen(PeopleUrls.invitation(token))
                : null;
    }
}
