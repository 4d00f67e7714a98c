package dev.loomboard.cli;

import dev.loomboard.backup.BackupApplication;
import java.io.PrintStream;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A backup into the database that the service would use, which must be an empty one. */
@Command(
        name = "restore",
        customSynopsis = "restore --from=FILE",
        description =
                "Puts a backup into an empty database, and brings it to this version's schema. Exit code 1: nothing was restored.")
final class RestoreCommand extends CliCommand {

    private final PrintStream out;
    private final PrintStream err;
    private final String[] settings;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "FILE",
            converter = InputFile.class,
            description = "What the command backup wrote.")
    private Path from = Path.of("");

    RestoreCommand(PrintStream out, PrintStream err, String... settings) {
        this.out = out;
        this.err = err;
        this.settings = settings;
    }

    @Override
    public Integer call() {
        return BackupApplication.restore(from, out, err, settings);
    }
}
