package dev.loomboard.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.StoreTest;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class MatrixStoreTest extends StoreTest {

    private final MatrixStore store = new MatrixStore(database, json);
    private final WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));

    @Test
    void preset_follows_the_release_until_its_owner_edits_it() {
        complete(store.putPreset(spec("shipped", 8), "first", true));
        complete(store.putPreset(spec("shipped", 8), "second", true));
        assertThat(source("shipped")).isEqualTo("second");
        complete(store.change(matrix("shipped"), spec("shipped", 8), "edited", Instant.EPOCH));
        complete(store.putPreset(spec("shipped", 8), "third", false));
        assertThat(source("shipped")).isEqualTo("edited");
        assertThat(listed("shipped")).as("it is theirs").isTrue();
    }

    @Test
    void matrix_of_an_owner_is_never_replaced_by_a_preset_of_its_name() {
        await(store.add(main, spec("mine", 8), "mine", Visibility.PRIVATE));
        complete(store.putPreset(spec("mine", 8), "shipped", false));
        assertThat(source("mine")).isEqualTo("mine");
        assertThat(matrix("mine").visibility()).isEqualTo(Visibility.PRIVATE);
        assertThat(listed("mine")).isTrue();
    }

    @Test
    void preset_that_only_our_tools_run_is_found_by_name_and_no_longer_listed() {
        complete(store.putPreset(spec("tool", 8), "the same", true));
        assertThat(listed("tool")).as("as in releases of before").isTrue();
        complete(store.putPreset(spec("tool", 8), "the same", false));
        assertThat(listed("tool")).isFalse();
        assertThat(source("tool")).isEqualTo("the same");
    }

    @Test
    void one_that_another_version_stored_does_not_hide_the_others() {
        await(store.add(main, spec("readable", 8), "readable", Visibility.PUBLIC));
        await(store.add(main, spec("of-another-version", 8), "of another version", Visibility.PUBLIC));
        execute("update matrix set spec = '{\"servers\": 3}' where slug = 'of-another-version'");
        assertThat(await(store.listed(new Caller.Anonymous()).map(Matrix::slug).collectList()))
                .contains("readable")
                .doesNotContain("of-another-version");
        execute("delete from matrix where slug = 'of-another-version'");
    }

    private boolean listed(String name) {
        return number("select count(*) from matrix where listed and slug = '" + name + "'") == 1;
    }

    @Test
    void phases_that_were_measured_keep_the_name_of_their_protocol() {
        await(store.add(main, spec("measured", 8), "measured", Visibility.PUBLIC));
        long key = matrix("measured").key();
        assertThat(await(store.protocolDiffers(spec("measured", 9), key)))
                .as("nothing ran under it")
                .isFalse();
        Bench bench = new Bench(database, "protocols");
        Bench.Cell cell = bench.cell(bench.jdk("protocols-25", 25, 1), "public");
        execute("update run set spec = (select spec from matrix where matrix_id = " + key + ") where run_id = "
                + cell.run());
        assertThat(await(store.protocolDiffers(spec("measured", 9), key))).isTrue();
        assertThat(await(store.protocolDiffers(spec("measured", 8), key))).isFalse();
    }

    private Matrix matrix(String name) {
        return Objects.requireNonNull(await(store.ofWorkspace(main, name)));
    }

    private String source(String name) {
        return matrix(name).source();
    }

    private static MatrixSpec spec(String name, int warmup) {
        return ((MatrixReader.Read) MatrixReader.read("""
                        schema: loomboard.matrix/1
                        name: %1$s
                        title: A title
                        protocol: %1$s/1
                        jdks: [25]
                        servers:
                          - {server: spring-mvc, variants: [virtual]}
                        scenarios:
                          - {workload: io, params: {delayMs: 100}, load: {profile: constant, rate: 300, seconds: 12}}
                        trials: {scored: 1}
                        phases: {warmup: [{seconds: %2$d}]}
                        """.formatted(name, warmup))).spec();
    }
}
