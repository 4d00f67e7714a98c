package dev.loomboard.machine;

import dev.loomboard.download.Downloads;
import dev.loomboard.kernel.Secret;
import dev.loomboard.web.Urls;
import org.jspecify.annotations.Nullable;

/**
 * What a person pastes on a machine that has no agent. The digests are in the lines, so what is fetched is compared with
 * what the page said that has them.
 *
 * @param agent installs the agent and registers the machine
 * @param steps the same for those who want to read the installer first
 * @param servers installs what is measured; null: this service offers none
 */
public record InstallLines(
        String agent, String steps, @Nullable String servers) {

    /** Null where the service has no agent to offer. */
    static @Nullable InstallLines of(Downloads downloads, String publicUrl, Secret token) {
        if (!downloads.offersAgent()) {
            return null;
        }
        String script = publicUrl + Urls.installer();
        String arguments = "--sha256 " + downloads.sums() + " " + RegisterCommand.arguments(publicUrl, token);
        return new InstallLines(
                "curl -fsSL " + script + " | sh -s -- " + arguments,
                "curl -fsSLO " + script + "\necho '" + downloads.digests().get(Downloads.INSTALLER)
                        + "  install.sh' | sha256sum -c\nless install.sh\nsh install.sh " + arguments,
                servers(downloads));
    }

    private static @Nullable String servers(Downloads downloads) {
        return downloads.servers().isEmpty()
                ? null
                : "loomboard-agent install-servers --sha256 "
                        + downloads.digests().get(Downloads.SERVERS) + " " + String.join(" ", downloads.servers());
    }
}
