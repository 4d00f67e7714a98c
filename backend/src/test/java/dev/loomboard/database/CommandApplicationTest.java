package dev.loomboard.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cli.Commands;
import dev.loomboard.kit.TestDatabases;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Commands on a database that is none of the service's. */
final class CommandApplicationTest {

    @TestFactory
    Stream<DynamicTest> database_without_the_schema_is_told_with_what_to_do() {
        return Stream.of(
                        List.of("verify-rollups"),
                        List.of("rotate-signing-key"),
                        List.of("reset-password", "--email=somebody@example.org"))
                .map(command -> DynamicTest.dynamicTest(command.getFirst(), () -> {
                    DatabaseUrl url = TestDatabases.fresh();
                    ByteArrayOutputStream said = new ByteArrayOutputStream();
                    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
                    try {
                        int code = Commands.run(
                                command,
                                out,
                                out,
                                "--loomboard.database.url="
                                        + url.withDatabase("postgres").withPassword());
                        assertThat(said.toString(StandardCharsets.UTF_8))
                                .contains(
                                        "The database does not answer as one of this version's does",
                                        "Start the service once");
                        assertThat(code).isEqualTo(2);
                    } finally {
                        TestDatabases.drop(url);
                    }
                }));
    }
}
