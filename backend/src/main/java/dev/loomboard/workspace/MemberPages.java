package dev.loomboard.workspace;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WireName;
import dev.loomboard.membership.Invitation;
import dev.loomboard.membership.InvitationService;
import dev.loomboard.membership.MemberResult;
import dev.loomboard.membership.MemberService;
import dev.loomboard.membership.MemberStore;
import dev.loomboard.membership.NewInvitation;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Problem;
import dev.loomboard.web.PublicUrl;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Who belongs to a workspace: roles, leaving, and the invitations that owners make. */
@Controller
class MemberPages {

    private final WorkspaceAccessService access;
    private final MemberStore members;
    private final MemberService service;
    private final InvitationService invitations;
    private final PublicUrl publicUrl;
    private final PageRenderer html;
    private final DataTwins twins;

    MemberPages(
            WorkspaceAccessService access,
            MemberStore members,
            MemberService service,
            InvitationService invitations,
            PublicUrl publicUrl,
            PageRenderer html,
            DataTwins twins) {
        this.access = access;
        this.members = members;
        this.service = service;
        this.invitations = invitations;
        this.publicUrl = publicUrl;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/w/{workspace}/members")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller.Person person, @PathVariable String workspace) {
        return access.with(Right.READ, person, workspace)
                .flatMap(found -> page(found, person, NewInvitation.blank(), null))
                .map(page -> html.show(shell, page));
    }

    @GetMapping("/w/{workspace}/members.json")
    Mono<ResponseEntity<byte[]>> listJson(Caller.Person person, @PathVariable String workspace) {
        return access.with(Right.READ, person, workspace)
                .flatMap(found -> page(found, person, NewInvitation.blank(), null))
                .map(page -> twins.json("loomboard.members/1", page.twin()));
    }

    @PostMapping("/w/{workspace}/members/{account}/role")
    Mono<ResponseEntity<byte[]>> change(
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String account,
            ServerWebExchange exchange) {
        return Mono.zip(
                        access.with(Right.MEMBERS, person, workspace),
                        exchange.getFormData().map(form -> FormState.typed(form).value("role")))
                .flatMap(both -> {
                    Optional<Role> role = WireName.find(Role.class, both.getT2());
                    return role.isPresent()
                            ? done(service.change(both.getT1().key(), account, role.get(), person.actor()), workspace)
                            : Mono.error(() -> Problem.invalid("role", "must be one of owner, member, viewer")
                                    .asException());
                });
    }

    @PostMapping("/w/{workspace}/members/{account}/remove")
    Mono<ResponseEntity<byte[]>> remove(
            Caller.Person person, @PathVariable String workspace, @PathVariable String account) {
        return access.with(Right.MEMBERS, person, workspace)
                .flatMap(found -> done(service.remove(found.key(), account, person.actor()), workspace));
    }

    @PostMapping("/w/{workspace}/leave")
    Mono<ResponseEntity<byte[]>> leave(Caller.Person person, @PathVariable String workspace) {
        return access.with(Right.READ, person, workspace)
                .flatMap(found -> done(service.remove(found.key(), person.actor(), person.actor()), workspace))
                .thenReturn(seeOther(PeopleUrls.workspaces()));
    }

    /** The answer is the page itself, not a way to it: the link's secret must stand in no address of ours. */
    @PostMapping("/w/{workspace}/invitations")
    Mono<ResponseEntity<byte[]>> invite(
            PageContext shell, Caller.Person person, @PathVariable String workspace, ServerWebExchange exchange) {
        return Mono.zip(
                        access.with(Right.MEMBERS, person, workspace),
                        exchange.getFormData().map(FormState::typed))
                .flatMap(both -> {
                    NewInvitation.Typed typed = NewInvitation.of(both.getT2());
                    NewInvitation invitation = typed.invitation();
                    WorkspaceView found = both.getT1();
                    return invitation == null
                            ? page(found, person, typed.form(), null)
                                    .map(page -> html.show(HttpStatus.UNPROCESSABLE_CONTENT, shell.whole(), page))
                            : invitations
                                    .create(found.key(), invitation, person)
                                    .map(secret ->
                                            publicUrl.of(exchange.getRequest()) + PeopleUrls.invitation(secret.value()))
                                    .flatMap(link -> page(found, person, NewInvitation.blank(), link))
                                    .map(page -> html.showNotStored(HttpStatus.CREATED, shell, page));
                });
    }

    @PostMapping("/w/{workspace}/invitations/{id}/revoke")
    Mono<ResponseEntity<byte[]>> revoke(Caller.Person person, @PathVariable String workspace, @PathVariable String id) {
        return access.with(Right.MEMBERS, person, workspace)
                .filter(found -> ExternalId.isOf("inv", id))
                .flatMap(found -> invitations.revoke(found.key(), id, person))
                .filter(revoked -> revoked)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .thenReturn(seeOther(PeopleUrls.members(workspace)));
    }

    private static Mono<ResponseEntity<byte[]>> done(Mono<MemberResult> change, String workspace) {
        return change.flatMap(result -> switch (result) {
            case DONE -> Mono.just(seeOther(PeopleUrls.members(workspace)));
            case UNKNOWN -> Mono.error(() -> Problem.notFound().asException());
            case LAST_OWNER -> Mono.error(() -> WorkspaceRefusal.lastOwner().asException());
        });
    }

    private Mono<MembersPage> page(
            WorkspaceView workspace, Caller.Person person, FormState form, @Nullable String made) {
        boolean mayChange = person.may(Right.MEMBERS, workspace.key());
        return Mono.zip(
                        members.of(workspace.key()).collectList(),
                        mayChange ? invitations.of(workspace.key()).collectList() : Mono.just(List.<Invitation>of()))
                .map(found -> new MembersPage(
                        workspace, found.getT1(), found.getT2(), person.actor(), mayChange, form, made));
    }
}
