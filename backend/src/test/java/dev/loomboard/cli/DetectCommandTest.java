package dev.loomboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DetectCommandTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private record Result(int code, String out, String err) {}

    @Test
    void prints_index_qhat_and_p_per_point_and_nothing_else() throws IOException {
        Result result = detect("1.02\n.95\n.99\n1.00\n1.12\n.90\n.50\n.51\n.48\n.48\n.55\n");
        assertThat(result.code).isZero();
        assertThat(result.err).isEmpty();
        assertThat(result.out).startsWith("6 2.354545454545").hasLineCount(1).endsWith("\n");
        assertThat(Double.parseDouble(result.out.strip().split(" ")[2])).isBetween(9.47e-8, 9.48e-8);
    }

    @Test
    void options_change_what_is_found() throws IOException {
        String file = "src/test/resources/stats/tigerbeetle.csv";
        assertThat(indices(run(file))).containsExactly("15", "61", "71", "95", "117", "131", "192", "212");
        assertThat(indices(run(file, "--window=30", "--p=0.01", "--magnitude=.05")))
                .containsExactly("15", "71");
    }

    @Test
    void ends_of_lines_and_of_the_file_may_be_as_other_programs_write_them() throws IOException {
        assertThat(detect("\uFEFF1\r\n 2 \r\n-3e0\r\n\r\n")).isEqualTo(new Result(0, "", ""));
    }

    @Test
    void a_line_that_is_no_number_is_named() throws IOException {
        assertBad(detect("1\n2\nthree\n"), "line 3: not a finite number: \"three\"");
        assertBad(detect("value\n1\n"), "line 1: not a finite number");
        assertBad(detect("1\n\n2\n"), "line 2: a number is missing");
        for (String text : List.of("NaN", "Infinity", "1e999", "0x1p3", "1d", "1,5", "1 2", "\u001b[31m")) {
            assertBad(detect("1\n" + text + "\n"), "line 2: not a finite number");
        }
        assertThat(detect("1\n\u001b[31m\n").err).doesNotContain("\u001b");
    }

    @Test
    void a_file_that_is_not_there_or_empty_is_said() throws IOException {
        assertBad(run(folder.resolve("none.csv").toString()), "there is no file");
        assertBad(run(folder.toString()), "cannot read");
        assertBad(detect("\n \n"), "holds no number");
        assertBad(run(), "usage: detect FILE");
        assertBad(run(""), "usage: detect FILE");
    }

    @Test
    void an_option_out_of_range_is_said() throws IOException {
        Path file = Files.writeString(folder.resolve("s.csv"), "1\n2\n");
        assertBad(run(file.toString(), "--window=1"), "window must be at least 2");
        assertBad(run(file.toString(), "--window=2.5"), "--window=2.5: not a whole number");
        assertBad(run(file.toString(), "--p=2"), "p must be over 0 and at most 1");
        assertBad(run(file.toString(), "--p="), "a number is missing");
        assertBad(run(file.toString(), "--magnitude=-1"), "magnitude must be");
        assertBad(run(file.toString(), "--widow=1"), "--widow=1 is not an option");
    }

    private static void assertBad(Result result, String why) {
        assertThat(result.code).isEqualTo(2);
        assertThat(result.out).isEmpty();
        assertThat(result.err).contains(why).hasLineCount(1);
    }

    private static List<String> indices(Result result) {
        return result.out.lines().map(line -> line.split(" ")[0]).toList();
    }

    private Result detect(String text) throws IOException {
        return run(Files.writeString(folder.resolve("series.csv"), text).toString());
    }

    private static Result run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Commands.run(
                Stream.concat(Stream.of("detect"), Stream.of(arguments)).toList(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
