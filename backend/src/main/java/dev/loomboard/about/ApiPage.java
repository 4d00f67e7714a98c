package dev.loomboard.about;

import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations of the two promised APIs, as their contracts list them. */
public record ApiPage(List<Contract> contracts) implements Page, PageTwin {

    /** @param file name under which the contract itself is served */
    public record Contract(String title, String description, String file, List<Operation> operations) {}

    /** @param scope how a caller proves itself; null: no proof needed */
    public record Operation(
            String method,
            String path,
            String summary,
            @Nullable String scope,
            List<String> answers) {}

    @Override
    public String template() {
        return "about/api.jte";
    }
}
