package dev.loomboard.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The table of the commands, and how they answer wrong use. */
@Command(
        name = "loomboard",
        customSynopsis = "loomboard [COMMAND [OPTION …]]",
        description = "Without a command: starts the service. Its settings are given as --name=value.",
        footer = "Each command explains its options: loomboard COMMAND --help")
public final class Commands extends CliCommand {

    private Commands() {}

    /** True when the arguments name a command or ask for help, so when they are not the service's settings. */
    public static boolean areMeantBy(String... arguments) {
        return arguments.length > 0
                && (!arguments[0].startsWith("-") || arguments[0].equals("--help") || arguments[0].equals("-h"));
    }

    /**
     * @param settings of the service, such as {@code --loomboard.database.url=…}, for commands that use its database;
     *     absent: those of the environment
     * @return the exit code: 2 when the command, its options or its input are not what they must be
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream err, String... settings) {
        CommandLine all = new CommandLine(new Commands())
                .addSubcommand(new DetectCommand(out))
                .addSubcommand(new SimulateCommand(out, err))
                .addSubcommand(new AaCommand(out))
                .addSubcommand(new VerifyRollupsCommand(out, err, settings))
                .addSubcommand(new FillCommand(out, err, settings))
                .addSubcommand(new RotateSigningKeyCommand(out, err, settings))
                .addSubcommand(new ResetPasswordCommand(out, err, settings))
                .addSubcommand(new DisableTwoStepCommand(out, err, settings))
                .addSubcommand(new BackupCommand(out, err, settings))
                .addSubcommand(new RestoreCommand(out, err, settings))
                .setOverwrittenOptionsAllowed(true)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((refusal, given) -> refuse(refusal, err))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    throw failure;
                });
        int code = all.execute(arguments.toArray(String[]::new));
        out.flush();
        return code;
    }

    @Override
    public Integer call() {
        throw refused("a command is missing");
    }

    /** One line: the command, what is wrong, and how it is used. */
    private static int refuse(ParameterException refusal, PrintStream err) {
        CommandLine command = refusal.getCommandLine();
        String usage = "; usage: " + command.getCommandSpec().usageMessage().customSynopsis()[0];
        String why = switch (refusal) {
            case UnmatchedArgumentException unknown ->
                unknown.getUnmatched().getFirst()
                        + (command.getParent() == null ? " is not a command" : " is not an option")
                        + usage;
            case MissingParameterException missing -> missing.getMessage() + usage;
            case ParameterException value
            when value.getCause() instanceof TypeConversionException wrong ->
                value.getArgSpec() instanceof OptionSpec option
                        ? option.longestName() + "=" + value.getValue() + ": " + wrong.getMessage()
                        : wrong.getMessage() + usage;
            default -> refusal.getMessage();
        };
        err.println(command.getCommandName() + ": " + why);
        return CommandLine.ExitCode.USAGE;
    }
}
