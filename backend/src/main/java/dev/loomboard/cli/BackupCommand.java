package dev.loomboard.cli;

import dev.loomboard.backup.BackupApplication;
import java.io.PrintStream;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The whole database that the service uses into one file. The service may go on meanwhile. */
@Command(
        name = "backup",
        customSynopsis = "backup --to=FILE",
        description =
                "Writes the whole database, as it is in one moment, into a new file. A running service may go on. Exit code 1: it was not written.")
final class BackupCommand extends CliCommand {

    private final PrintStream out;
    private final PrintStream err;
    private final String[] settings;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "FILE",
            converter = WritableFile.class,
            description = "A file that does not exist, such as loomboard.backup.")
    private Path to = Path.of("");

    BackupCommand(PrintStream out, PrintStream err, String... settings) {
        this.out = out;
        this.err = err;
        this.settings = settings;
    }

    @Override
    public Integer call() {
        return BackupApplication.backup(to, out, err, settings);
    }
}
