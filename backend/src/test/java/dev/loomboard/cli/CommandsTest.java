package dev.loomboard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CommandsTest {

    private static final List<String> COMMANDS = List.of(
            "detect",
            "simulate",
            "aa",
            "verify-rollups",
            "fill",
            "backup",
            "restore",
            "rotate-signing-key",
            "reset-password",
            "disable-two-step");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void help_names_every_command() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(UTF_8)).contains(COMMANDS).contains("service");
        assertThat(err.size()).isZero();
    }

    static List<String> commands() {
        return COMMANDS;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void each_command_explains_itself_and_refuses_what_it_does_not_know(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString(UTF_8)).startsWith("Usage: " + command).contains("--help");
        assertThat(run(command, "--widow=1")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).startsWith(command + ": ").contains("; usage: " + command);
    }

    @Test
    void word_that_is_no_command_is_refused() {
        assertThat(run("detct", "file")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).startsWith("loomboard: detct is not a command; usage: ");
        assertThat(out.size()).isZero();
    }

    @Test
    void settings_are_the_service_s() {
        assertThat(Commands.areMeantBy()).isFalse();
        assertThat(Commands.areMeantBy("--server.port=0")).isFalse();
        assertThat(Commands.areMeantBy("--help")).isTrue();
        assertThat(Commands.areMeantBy("fill", "--series=40")).isTrue();
    }

    private int run(String... arguments) {
        return Commands.run(List.of(arguments), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
