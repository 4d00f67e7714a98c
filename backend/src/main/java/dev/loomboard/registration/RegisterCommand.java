package dev.loomboard.registration;

import dev.loomboard.kernel.Secret;

/** The line that a person pastes on the machine to be registered. */
final class RegisterCommand {

    private RegisterCommand() {}

    static String line(String publicUrl, Secret token) {
        return "loomboard-agent register " + arguments(publicUrl, token);
    }

    /** What the installer passes on to {@code register}, too. */
    static String arguments(String publicUrl, Secret token) {
        return "--url " + publicUrl + " --token " + token.value();
    }
}
