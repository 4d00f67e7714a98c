package dev.loomboard.runimport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.bundle.BundleManifest;
import dev.loomboard.bundle.BundleRefusal;
import dev.loomboard.bundle.BundleSizes;
import dev.loomboard.bundle.MemberNames;
import dev.loomboard.bundle.Zips;
import dev.loomboard.web.StrictJson;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A file is read whole and checked before anything is stored; what is not a bundle is refused in words. */
final class BundleReaderTest {

    private static final Path SOUND = Path.of("src/test/resources/fuzz/BundleFuzz/sound.zip");
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String BATCH = "trials/001/batch-00000.json";

    @TempDir
    Path folder;

    @Test
    void sound_bundle_is_read() throws IOException {
        BundleReader.Sound sound = read(sound());
        assertThat(sound.run().trials()).hasSize(2);
        assertThat(sound.sealed()).containsExactlyInAnyOrder(1, 2);
        assertThat(sound.storedBytes()).isPositive();
        assertThat(sound.artefactBytes()).isPositive();
        assertThat(sound.spec().protocol()).isEqualTo("quick/1");
    }

    private record Wrong(String what, String says, UnaryOperator<byte[]> change) {
        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Wrong> wrongs() {
        return Stream.of(
                new Wrong("no ZIP", "is no bundle", bundle -> "hello".getBytes(StandardCharsets.UTF_8)),
                new Wrong("cut off", "is no bundle", bundle -> Arrays.copyOf(bundle, bundle.length / 2)),
                new Wrong("empty", "is no bundle", bundle -> new byte[0]),
                new Wrong("without a manifest", "manifest.json is missing", without(MemberNames.MANIFEST)),
                new Wrong("without its run", "run.json is missing: the manifest lists it", without(MemberNames.RUN)),
                new Wrong("without a batch", BATCH + " is missing", without(BATCH)),
                new Wrong("without a batch, and not listed", BATCH + " is missing", withoutListed(BATCH)),
                new Wrong(
                        "without its table, and not listed", "trials.csv is missing", withoutListed(MemberNames.TABLE)),
                new Wrong(
                        "of another version",
                        "this service reads loomboard.bundle/1 only",
                        manifest(m -> m.put("schema", "loomboard.bundle/2"))),
                new Wrong(
                        "of no schema",
                        "this service reads loomboard.bundle/1 only",
                        manifest(m -> m.remove("schema"))),
                new Wrong(
                        "run of another version",
                        "run.json cannot be taken: schema",
                        run(r -> r.put("schema", "loomboard.bundle-run/2"))),
                new Wrong(
                        "unknown field",
                        "run.json cannot be taken: courses is not a known field",
                        run(r -> r.put("courses", 1))),
                new Wrong("wrong digest", "the bundle was changed or damaged", digest("sha256", "0".repeat(64))),
                new Wrong("wrong size", "the bundle was changed or damaged", digest("bytes", "7")),
                new Wrong("member that is not listed", "does not list: extra.txt", with("extra.txt", "more")),
                new Wrong(
                        "member that nothing refers to",
                        "is of nothing in run.json",
                        withListed("trials/009/batch-00000.json", "{}")),
                new Wrong("name that leads out", "does not list: ../../etc/passwd", with("../../etc/passwd", "x")),
                new Wrong(
                        "name that leads out, listed",
                        "manifest.json cannot be taken: members[",
                        withListed("../../etc/passwd", "x")),
                new Wrong(
                        "absolute name, listed",
                        "manifest.json cannot be taken: members[",
                        withListed("/etc/passwd", "x")),
                new Wrong("name with controls", "does not list: a?b", with("a\u001bb", "x")),
                new Wrong(
                        "member listed twice",
                        "must have each name once",
                        manifest(m -> ((ArrayNode) m.path("members")).add(m.at("/members/0")))),
                new Wrong(
                        "batch of another trial",
                        BATCH + " cannot be taken: trialId",
                        json(BATCH, b -> b.put("trialId", "trl_zzzzzzzzzzzzzzzzzzzz"))),
                new Wrong(
                        "batch of another number",
                        "cannot be taken: seq",
                        json("trials/001/batch-00001.json", b -> b.put("seq", 2))),
                new Wrong(
                        "batch of another lease",
                        "fencing must be that of its trial",
                        json(BATCH, b -> b.put("fencing", 7))),
                new Wrong("malformed batch", BATCH + " cannot be taken", member(BATCH, "{")),
                new Wrong("malformed run", "run.json cannot be taken", member(MemberNames.RUN, "[1, 2]")),
                new Wrong("run that is null", "run.json must be an object", member(MemberNames.RUN, "null")),
                new Wrong(
                        "malformed artefact",
                        "stacks.txt cannot be taken",
                        member("trials/002/artefacts/stacks.txt", "no stacks")),
                new Wrong(
                        "histogram of nonsense",
                        "is not an HDR histogram",
                        json(
                                "trials/001/batch-00003.json",
                                b -> ((ObjectNode) b.at("/steps/0")).put("service", "AAAA"))),
                new Wrong(
                        "run that goes on",
                        "must be done, failed or cancelled",
                        run(r -> ((ObjectNode) r.path("course")).put("state", "running"))),
                new Wrong(
                        "state that its end contradicts",
                        "run.json: trials[0].end.state must be done, as its last batch says",
                        run(r -> ((ObjectNode) r.at("/trials/0/end")).put("state", "failed"))),
                new Wrong(
                        "end that is not there",
                        "must be aborted: not all of its batches are there",
                        withoutLastBatch()),
                new Wrong(
                        "other run in the manifest",
                        "origin.run must be the id in run.json",
                        manifest(m -> ((ObjectNode) m.path("origin")).put("run", "run_zzzzzzzzzzzzzzzzzzzz"))),
                new Wrong(
                        "cell of no build",
                        "cells[0].jdk must be one of jdks",
                        run(r -> ((ObjectNode) r.at("/cells/0")).put("jdk", "none-25"))),
                new Wrong(
                        "trial of no cell",
                        "trials[0].cell must be the ordinal of a cell",
                        run(r -> ((ObjectNode) r.at("/trials/0")).put("cell", 99))),
                new Wrong(
                        "trials of one id",
                        "has the id, or the place, of another trial",
                        run(r -> ((ObjectNode) r.at("/trials/1"))
                                .put("id", r.at("/trials/0/id").asString()))),
                new Wrong(
                        "trials of one place",
                        "trials[1] has the id, or the place, of another trial",
                        run(r -> ((ObjectNode) r.at("/trials/1/place")).put("position", 0))),
                new Wrong(
                        "trial of a lease that the run did not have",
                        "trials[0].place.fencing must be at most that of the run, 1, is: 2",
                        run(r -> ((ObjectNode) r.at("/trials/0/place")).put("fencing", 2))),
                new Wrong(
                        "trial of no lease",
                        "trials[0].place.fencing must be at least 1",
                        run(r -> ((ObjectNode) r.at("/trials/0/place")).put("fencing", 0))),
                new Wrong(
                        "trial without a place",
                        "trials[0].place is missing",
                        run(r -> ((ObjectNode) r.at("/trials/0")).remove("place"))),
                new Wrong(
                        "trial that goes on",
                        "trials[0].end.state must be done, failed or aborted, is: running",
                        run(r -> ((ObjectNode) r.at("/trials/0/end")).put("state", "running"))),
                new Wrong(
                        "trial that ended at no time",
                        "trials[0].end.finishedAt must be a time",
                        run(r -> ((ObjectNode) r.at("/trials/0/end")).put("finishedAt", "noon"))),
                new Wrong(
                        "run that ended before it began",
                        "course.times.finishedAt must not be before startedAt",
                        run(r -> ((ObjectNode) r.at("/course/times")).put("finishedAt", "2026-11-23T00:21:00Z"))),
                new Wrong(
                        "run that began before it was made",
                        "course.times.startedAt must not be before createdAt",
                        run(r -> ((ObjectNode) r.at("/course/times")).put("startedAt", "2026-11-23T00:19:00Z"))),
                new Wrong(
                        "run of no trial that was planned",
                        "course.plan.trials must be from 1",
                        run(r -> ((ObjectNode) r.at("/course/plan")).put("trials", 0))),
                new Wrong(
                        "seed that none can be",
                        "course.plan.orderSeed must be from 0",
                        run(r -> ((ObjectNode) r.at("/course/plan")).put("orderSeed", -1))),
                new Wrong(
                        "further trials below none",
                        "course.plan.pilot.trials must be at least 0",
                        run(r -> ((ObjectNode) r.at("/course/plan"))
                                .putObject("pilot")
                                .put("first", 2)
                                .put("budget", 2)
                                .put("trials", -1))),
                new Wrong(
                        "server with a name that is none",
                        "cells[0].server.name must match",
                        run(r -> ((ObjectNode) r.at("/cells/0/server")).put("name", "Spring MVC"))),
                new Wrong(
                        "server of no concurrency model",
                        "cells[0].server.concurrencyModel is missing",
                        run(r -> ((ObjectNode) r.at("/cells/0/server")).remove("concurrencyModel"))),
                new Wrong(
                        "scenario without a load",
                        "cells[0].scenario.load is missing",
                        run(r -> ((ObjectNode) r.at("/cells/0/scenario")).remove("load"))),
                new Wrong(
                        "scenario of another load",
                        "cells[0].scenario.key must follow from workload",
                        run(r -> ((ObjectNode) r.at("/cells/0/scenario/load")).put("rate", 1))),
                new Wrong(
                        "load that its matrix has not", "must have workload and load of a scenario of spec", run(r -> {
                            ((ObjectNode) r.at("/cells/0/scenario/load")).put("rate", 1);
                            ((ObjectNode) r.at("/cells/0/scenario"))
                                    .put(
                                            "key",
                                            r.at("/cells/0/scenario/key")
                                                    .asString()
                                                    .replace("rate=300", "rate=1"));
                        })),
                new Wrong(
                        "matrix of nonsense",
                        "run.json spec: ",
                        run(r -> ((ObjectNode) r.path("spec")).put("maxWorkers", -1))),
                new Wrong("name that misleads", "run.json cannot be taken", run(r -> r.put("title", "ab\u202ecd"))),
                new Wrong("text with U+0000", "run.json cannot be taken", run(r -> r.put("title", "ab\u0000cd"))),
                new Wrong(
                        "facts without end",
                        "must have at most 65536 characters",
                        run(r -> ((ObjectNode) r.at("/machine/facts")).put("more", "x".repeat(70_000)))));
    }

    @ParameterizedTest
    @MethodSource("wrongs")
    void what_is_no_bundle_is_refused_in_words(Wrong wrong) throws IOException {
        byte[] changed = wrong.change().apply(sound());
        assertThatThrownBy(() -> read(changed))
                .isInstanceOfSatisfying(
                        BundleRefusal.class, e -> assertThat(e.words()).contains(wrong.says()));
    }

    @Test
    void bomb_is_cut_off_at_the_bound_of_its_member() throws IOException {
        byte[] zeros = new byte[Math.toIntExact(BundleSizes.ARTEFACT) + 1];
        byte[] bomb = Zips.with(sound(), "trials/002/artefacts/stacks.txt", content -> zeros);
        assertThat(bomb.length).isLessThan(200_000);
        assertThatThrownBy(() -> read(bomb))
                .isInstanceOfSatisfying(
                        BundleRefusal.class,
                        e -> assertThat(e.words()).contains("stacks.txt has more than 8388608 bytes unpacked"));
    }

    @Test
    void file_beyond_the_bound_is_not_opened() throws IOException {
        Path large = folder.resolve("large.zip");
        try (var file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(BundleSizes.FILE + 1);
        }
        assertThatThrownBy(() -> BundleFile.open(large))
                .isInstanceOf(BundleRefusal.class)
                .hasMessageContaining("at most");
    }

    @Test
    void more_members_than_a_bundle_may_have_are_refused() {
        Map<String, byte[]> members = new LinkedHashMap<>();
        for (int i = 0; i <= BundleManifest.MOST_MEMBERS + 1; i++) {
            members.put("m" + i + ".txt", new byte[0]);
        }
        assertThatThrownBy(() -> read(Zips.zip(members)))
                .isInstanceOf(BundleRefusal.class)
                .hasMessageContaining("members");
    }

    private static byte[] sound() throws IOException {
        return Files.readAllBytes(SOUND);
    }

    private BundleReader.Sound read(byte[] bundle) throws IOException {
        try (BundleFile file = BundleFile.open(Files.write(folder.resolve("bundle.zip"), bundle))) {
            return new BundleReader(StrictJson.mapper()).read(file);
        }
    }

    // ---- changes

    private static UnaryOperator<byte[]> run(Consumer<ObjectNode> change) {
        return json(MemberNames.RUN, change);
    }

    private static UnaryOperator<byte[]> json(String member, Consumer<ObjectNode> change) {
        return bundle -> Zips.withJson(bundle, member, change);
    }

    private static UnaryOperator<byte[]> member(String name, String content) {
        return bundle -> Zips.with(bundle, name, before -> content.getBytes(StandardCharsets.UTF_8));
    }

    /** The manifest itself, as it is then. */
    private static UnaryOperator<byte[]> manifest(Consumer<ObjectNode> change) {
        return bundle -> {
            Map<String, byte[]> members = Zips.members(bundle);
            ObjectNode manifest = (ObjectNode) Zips.json(members, MemberNames.MANIFEST);
            change.accept(manifest);
            members.put(MemberNames.MANIFEST, JSON.writeValueAsBytes(manifest));
            return Zips.zip(members);
        };
    }

    private static UnaryOperator<byte[]> digest(String field, String value) {
        return manifest(m -> {
            ObjectNode first = (ObjectNode) m.at("/members/1");
            if (field.equals("bytes")) {
                first.put(field, Long.parseLong(value));
            } else {
                first.put(field, value);
            }
        });
    }

    private static UnaryOperator<byte[]> without(String name) {
        return bundle -> {
            Map<String, byte[]> members = Zips.members(bundle);
            members.remove(name);
            return Zips.zip(members);
        };
    }

    private static UnaryOperator<byte[]> withoutListed(String name) {
        return bundle -> {
            Map<String, byte[]> members = Zips.members(bundle);
            members.remove(name);
            return Zips.zip(Zips.listed(members));
        };
    }

    private static UnaryOperator<byte[]> with(String name, String content) {
        return bundle -> {
            Map<String, byte[]> members = Zips.members(bundle);
            members.put(name, content.getBytes(StandardCharsets.UTF_8));
            return Zips.zip(members);
        };
    }

    private static UnaryOperator<byte[]> withListed(String name, String content) {
        return bundle -> {
            Map<String, byte[]> members = Zips.members(bundle);
            members.put(name, content.getBytes(StandardCharsets.UTF_8));
            return Zips.zip(Zips.listed(members));
        };
    }

    private static UnaryOperator<byte[]> withoutLastBatch() {
        String last = "trials/001/batch-00004.json";
        return bundle -> withoutListed(last)
                .apply(Zips.withJson(bundle, MemberNames.RUN, r -> ((ArrayNode) r.at("/trials/0/batches")).remove(4)));
    }
}
