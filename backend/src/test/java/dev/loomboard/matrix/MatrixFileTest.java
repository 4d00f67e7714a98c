package dev.loomboard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The file of a run's matrix says what its owner wrote. */
final class MatrixFileTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void what_is_written_reads_as_what_was_read() throws IOException {
        List<Path> files;
        try (Stream<Path> presets = Files.list(Path.of("../sample-servers/matrices"))) {
            files = presets.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
        assertThat(files).hasSizeGreaterThan(5);
        for (Path file : files) {
            MatrixSpec spec = spec(Files.readString(file));
            MatrixSpec stored = JSON.readValue(JSON.writeValueAsString(spec), MatrixSpec.class);
            String written = MatrixFile.text(stored, JSON);
            assertThat(spec(written)).as(file + "\n" + written).isEqualTo(spec);
            assertThat(spec(MatrixFile.stated(JSON.valueToTree(spec)).toString()))
                    .as("of a bundle: " + file)
                    .isEqualTo(spec);
            assertThat(written).startsWith("schema: loomboard.matrix/1\nname: ");
        }
    }

    private static MatrixSpec spec(String yaml) {
        MatrixReader.Reading reading = MatrixReader.read(yaml);
        assertThat(reading).as(yaml).isInstanceOf(MatrixReader.Read.class);
        return ((MatrixReader.Read) reading).spec();
    }
}
