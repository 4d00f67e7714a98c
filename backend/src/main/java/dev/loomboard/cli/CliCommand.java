package dev.loomboard.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What the commands share: the option for help, the refusal of bad input, and how values are read. */
abstract class CliCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this and end.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    /** The command ends with exit code 2 and this sentence. */
    final ParameterException refused(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    /** From 0 to 999 999 999. */
    static final class WholeNumber implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return whole(text, 0);
        }
    }

    /** From 1 to 999 999 999. */
    static final class PositiveNumber implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return whole(text, 1);
        }
    }

    private static int whole(String text, int least) {
        String digits = text.strip();
        if (!digits.matches("\\d{1,9}") || Integer.parseInt(digits) < least) {
            throw new TypeConversionException("not a whole number from " + least + " to 999999999");
        }
        return Integer.parseInt(digits);
    }

    /** A finite number in decimal notation. */
    static final class DecimalNumber implements ITypeConverter<Double> {

        private static final Pattern FORM = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
        private static final int SHOWN = 40;

        @Override
        public Double convert(String text) {
            String stripped = text.strip();
            if (stripped.isEmpty()) {
                throw new TypeConversionException("a number is missing");
            }
            double number = FORM.matcher(stripped).matches() ? Double.parseDouble(stripped) : Double.NaN;
            if (!Double.isFinite(number)) {
                throw new TypeConversionException("not a finite number: \"" + shown(stripped) + "\"");
            }
            return number;
        }

        private static String shown(String text) {
            String plain = text.replaceAll("\\p{Cntrl}", "?");
            return plain.length() <= SHOWN ? plain : plain.substring(0, SHOWN) + "…";
        }
    }

    /** A file to read. */
    static final class InputFile implements ITypeConverter<Path> {
        @Override
        public Path convert(String text) {
            if (text.isBlank()) {
                throw new TypeConversionException("the name of a file is missing");
            }
            return Path.of(text);
        }
    }

    /** A file that can be written. It is checked before the command's work, which may take minutes. */
    static final class WritableFile implements ITypeConverter<Path> {
        @Override
        public Path convert(String text) {
            Path file = Path.of(text).toAbsolutePath();
            Path folder = file.getParent();
            if (text.isBlank() || Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
                throw new TypeConversionException("not a file in a folder that can be written to");
            }
            return file;
        }
    }
}
