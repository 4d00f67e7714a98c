package dev.loomboard.token;

import dev.loomboard.kernel.Caller.TokenScope;
import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A person's API tokens.
 *
 * @param workspaces that the person owns: tokens can be made for these
 * @param made the secret of the one just made, shown this once; null: none was
 */
public record ApiTokensPage(
        List<ApiToken> tokens,
        List<Workspace> workspaces,
        FormState form,
        @Nullable String made,
        Instant now) implements Page {
    public ApiTokensPage {
        tokens = List.copyOf(tokens);
        workspaces = List.copyOf(workspaces);
    }

    @Override
    public String template() {
        return "account/tokens.jte";
    }

    public List<Integer> days() {
        return NewApiToken.DAYS;
    }

    /** The scopes that one chooses: to read is in each. */
    public List<TokenScope> scopes() {
        return Stream.of(TokenScope.values())
                .filter(scope -> scope != TokenScope.READ)
                .toList();
    }
}
