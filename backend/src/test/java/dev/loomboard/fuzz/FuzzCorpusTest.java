package dev.loomboard.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.loomboard.artefact.ArtefactFuzz;
import dev.loomboard.ingest.BatchFuzz;
import dev.loomboard.matrix.MatrixFuzz;
import dev.loomboard.measurement.HistogramFuzz;
import dev.loomboard.runimport.BundleFuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each file of the decoders' corpora, and the same files damaged: what {@code make fuzz} found once stays mended. */
final class FuzzCorpusTest {

    private static final Path CORPORA = Path.of("src/test/resources/fuzz");
    private static final int DAMAGED = 100;

    private record Decoder(String name, Consumer<byte[]> target) {}

    private static final List<Decoder> DECODERS = List.of(
            new Decoder("ArtefactFuzz", ArtefactFuzz::fuzzerTestOneInput),
            new Decoder("BatchFuzz", BatchFuzz::fuzzerTestOneInput),
            new Decoder("BundleFuzz", BundleFuzz::fuzzerTestOneInput),
            new Decoder("HistogramFuzz", HistogramFuzz::fuzzerTestOneInput),
            new Decoder("MatrixFuzz", MatrixFuzz::fuzzerTestOneInput));

    private record Seed(Path file, Consumer<byte[]> target) {
        @Override
        public String toString() {
            return CORPORA.relativize(file).toString();
        }
    }

    static Stream<Seed> seeds() throws IOException {
        Stream.Builder<Seed> seeds = Stream.builder();
        for (Decoder decoder : DECODERS) {
            try (Stream<Path> files = Files.list(CORPORA.resolve(decoder.name()))) {
                files.sorted().forEach(file -> seeds.add(new Seed(file, decoder.target())));
            }
        }
        return seeds.build();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothing_that_is_sent_ends_in_an_unexpected_error(Seed seed) throws IOException {
        byte[] content = Files.readAllBytes(seed.file());
        seed.target().accept(content);
        Random random = new Random(content.length);
        for (int i = 0; i < DAMAGED; i++) {
            byte[] damaged = damaged(content, random);
            assertThatCode(() -> seed.target().accept(damaged))
                    .as("%s as %s", seed, Arrays.toString(damaged))
                    .doesNotThrowAnyException();
        }
    }

    /** Cut, doubled in part, or with some bytes changed. */
    private static byte[] damaged(byte[] content, Random random) {
        int length = content.length;
        byte[] out = switch (random.nextInt(3)) {
            case 0 -> Arrays.copyOf(content, random.nextInt(length + 1));
            case 1 -> {
                byte[] longer = Arrays.copyOf(content, length + random.nextInt(length + 1));
                System.arraycopy(content, 0, longer, length, longer.length - length);
                yield longer;
            }
            default -> content.clone();
        };
        for (int i = random.nextInt(4); i > 0 && out.length > 0; i--) {
            out[random.nextInt(out.length)] = (byte) random.nextInt(256);
        }
        return out;
    }
}
