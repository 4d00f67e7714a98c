package dev.loomboard.registration;

import dev.loomboard.download.Downloads;
import dev.loomboard.kernel.Secret;
import dev.loomboard.web.Urls;
import org.jspecify.annotations.Nullable;

/**
 * What a person pastes on a machine that has no agent. The digests are in the lines, so what is fetched is compared with
 * what the page said that has them.
 *
 * @param agent installs the agent and registers the machine; the shell finds the agent from then on
 * @param withWget the same where there is no curl
 * @param steps the same for those who want to read the installer first
 * @param servers installs what is measured; null: this service offers none
 */
public record InstallLines(
        String agent,
        String withWget,
        String steps,
        @Nullable String servers) {

    /** Where the installer puts the agent unless root installs it: seldom on the path of a shell that began before. */
    private static final String FOUND = "export PATH=\"$PATH:$HOME/.local/bin\"";

    /** Null where the service has no agent to offer. */
    static @Nullable InstallLines of(Downloads downloads, String publicUrl, Secret token) {
        if (!downloads.offersAgent()) {
            return null;
        }
        String script = publicUrl + Urls.installer();
        String arguments = "--sha256 " + downloads.sums() + " " + RegisterCommand.arguments(publicUrl, token);
        String piped = script + " | sh -s -- " + arguments + " && " + FOUND;
        return new InstallLines(
                "curl -fsSL " + piped,
                "wget -qO- " + piped,
                "curl -fsSLO " + script + "\necho '" + downloads.digests().get(Downloads.INSTALLER)
                        + "  install.sh' | sha256sum -c\nless install.sh\nsh install.sh " + arguments + "\n" + FOUND,
                servers(downloads));
    }

    private static @Nullable String servers(Downloads downloads) {
        return downloads.servers().isEmpty()
                ? null
                : "loomboard-agent install-servers --sha256 "
                        + downloads.digests().get(Downloads.SERVERS) + " " + String.join(" ", downloads.servers());
    }
}
