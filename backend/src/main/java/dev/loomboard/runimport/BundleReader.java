package dev.loomboard.runimport;

import dev.loomboard.artefact.Upload;
import dev.loomboard.bundle.BundleCell;
import dev.loomboard.bundle.BundleManifest;
import dev.loomboard.bundle.BundleRefusal;
import dev.loomboard.bundle.BundleRun;
import dev.loomboard.bundle.BundleTrial;
import dev.loomboard.bundle.MemberNames;
import dev.loomboard.cell.TrialState;
import dev.loomboard.ingest.BatchReader;
import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.matrix.MatrixReader;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ReceivedBody;
import dev.loomboard.web.request.Problems;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/** Reads a bundle and checks all of it, before anything is stored. Pure: the same file always gives the same. */
final class BundleReader {

    private final JsonMapper json;
    private final BatchReader batches;

    /** @param json must read strictly */
    BundleReader(JsonMapper json) {
        this.json = json;
        this.batches = new BatchReader(json);
    }

    /**
     * A bundle whose every member was read.
     *
     * @param spec of its run
     * @param sealed numbers of the trials whose batches say how they ended
     * @param storedBytes that its batches take of the workspace's quota
     * @param artefactBytes that its artefacts take of the other
     */
    record Sound(
            BundleManifest manifest,
            BundleRun run,
            MatrixSpec spec,
            Set<Integer> sealed,
            long storedBytes,
            long artefactBytes) {}

    /** @throws BundleRefusal saying what is wrong with it */
    Sound read(BundleFile file) {
        BundleManifest manifest = manifest(file);
        Map<String, BundleManifest.Member> members = members(file, manifest);
        BundleRun run = document(MemberNames.RUN, file.read(member(members, MemberNames.RUN)), BundleRun.class);
        if (!run.id().equals(manifest.origin().run())) {
            throw BundleRefusal.of(MemberNames.MANIFEST, "origin.run must be the id in run.json, " + run.id());
        }
        MatrixSpec spec = spec(run);
        Contents contents = new Contents(file, members, run);
        contents.read();
        return new Sound(manifest, run, spec, contents.sealed, contents.storedBytes, contents.artefactBytes);
    }

    private BundleManifest manifest(BundleFile file) {
        byte[] bytes = file.read(MemberNames.MANIFEST);
        String schema;
        try {
            schema = json.readTree(bytes).path("schema").asString("");
        } catch (JacksonException e) {
            throw refusal(MemberNames.MANIFEST, e);
        }
        if (!schema.equals(BundleManifest.SCHEMA)) {
            throw BundleRefusal.of(
                    MemberNames.MANIFEST,
                    "has the schema " + BundleFile.shown(schema) + "; this service reads " + BundleManifest.SCHEMA
                            + " only");
        }
        return document(MemberNames.MANIFEST, bytes, BundleManifest.class);
    }

    /** Those of the file, which are those of the manifest. */
    private static Map<String, BundleManifest.Member> members(BundleFile file, BundleManifest manifest) {
        Map<String, BundleManifest.Member> members = new HashMap<>();
        manifest.members().forEach(member -> members.put(member.name(), member));
        Set<String> lacking = new TreeSet<>(members.keySet());
        lacking.removeAll(file.names());
        if (!lacking.isEmpty()) {
            throw BundleRefusal.of(lacking.iterator().next(), "is missing: the manifest lists it");
        }
        Set<String> unlisted = new TreeSet<>(file.names());
        unlisted.removeAll(members.keySet());
        unlisted.remove(MemberNames.MANIFEST);
        if (!unlisted.isEmpty()) {
            throw new BundleRefusal("the bundle has a member that its manifest does not list: "
                    + BundleFile.shown(unlisted.iterator().next()));
        }
        return members;
    }

    private static BundleManifest.Member member(Map<String, BundleManifest.Member> members, String name) {
        BundleManifest.Member member = members.get(name);
        if (member == null) {
            throw BundleRefusal.of(name, "is missing");
        }
        return member;
    }

    private static MatrixSpec spec(BundleRun run) {
        return switch (MatrixReader.read(run.spec().toString())) {
            case MatrixReader.Refused refused ->
                throw BundleRefusal.of(
                        MemberNames.RUN,
                        "spec: "
                                + refused.problems().stream()
                                        .map(problem -> problem.field() + " " + problem.message())
                                        .limit(5)
                                        .collect(Collectors.joining("; ")));
            case MatrixReader.Read read -> ofItsMatrix(run, read.spec());
        };
    }

    /** Each cell's load is one of the matrix's, which its reader checked. */
    private static MatrixSpec ofItsMatrix(BundleRun run, MatrixSpec spec) {
        for (BundleCell cell : run.cells()) {
            BundleCell.Scenario its = cell.scenario();
            if (spec.dimensions().scenarios().stream()
                    .noneMatch(
                            s -> s.workload().equals(its.workload()) && s.load().equals(its.load()))) {
                throw BundleRefusal.of(
                        MemberNames.RUN,
                        "cells[" + cell.ordinal() + "] must have workload and load of a scenario of spec, has "
                                + its.key());
            }
        }
        return spec;
    }

    /** All members but the descriptions. */
    private final class Contents {

        private final BundleFile file;
        private final Map<String, BundleManifest.Member> members;
        private final BundleRun run;
        private final Set<String> read = new HashSet<>(Set.of(MemberNames.RUN));
        private final Set<Integer> sealed = new HashSet<>();
        private long storedBytes;
        private long artefactBytes;

        Contents(BundleFile file, Map<String, BundleManifest.Member> members, BundleRun run) {
            this.file = file;
            this.members = members;
            this.run = run;
        }

        void read() {
            for (int i = 0; i < run.trials().size(); i++) {
                trial(i + 1, run.trials().get(i));
            }
            file.check(member(members, MemberNames.TABLE)); // made of the rest, for people
            read.add(MemberNames.TABLE);
            Set<String> others = new TreeSet<>(members.keySet());
            others.removeAll(read);
            if (!others.isEmpty()) {
                throw BundleRefusal.of(others.iterator().next(), "is of nothing in run.json");
            }
        }

        private void trial(int number, BundleTrial trial) {
            TrialEnd end = null;
            for (int seq : trial.batches()) {
                String name = MemberNames.batch(number, seq);
                BatchReader.Sound sound = batch(name, trial, seq, content(name));
                storedBytes += sound.storedBytes();
                end = sound.batch().end() == null ? end : sound.batch().end();
            }
            ending(number, trial, end);
            for (String artefact : trial.artefacts()) {
                String name = MemberNames.artefact(number, artefact);
                byte[] content = content(name);
                artefact(artefact, content);
                artefactBytes += content.length;
            }
        }

        private byte[] content(String name) {
            read.add(name);
            return file.read(member(members, name));
        }

        private void ending(int number, BundleTrial trial, @Nullable TrialEnd end) {
            String states = MemberNames.RUN + ": trials[" + (number - 1) + "].end.state";
            if (end != null && trial.sealedBy(end.batches())) {
                sealed.add(number);
                if (!end.outcome().wire().equals(trial.end().state().wire())) {
                    throw BundleRefusal.of(states, "must be " + end.outcome().wire() + ", as its last batch says");
                }
            } else if (trial.end().state() != TrialState.ABORTED) {
                throw BundleRefusal.of(states, "must be aborted: not all of its batches are there, or they came late");
            }
        }
    }

    /** A batch of a trial, as the wire has it. */
    BatchReader.Sound batch(String name, BundleTrial trial, int seq, byte[] content) {
        return switch (batches.read(trial.id(), Integer.toString(seq), ReceivedBody.plain(content))) {
            case BatchReader.Refused refused -> throw BundleRefusal.of(name, detail(refused.problem()));
            case BatchReader.Sound sound -> {
                Batch batch = sound.batch();
                if (batch.fencing() != trial.place().fencing()) {
                    throw BundleRefusal.of(
                            name,
                            "fencing must be that of its trial, "
                                    + trial.place().fencing());
                }
                yield sound;
            }
        };
    }

    /** @param name of the artefact */
    Upload.Sound artefact(String name, byte[] content) {
        try {
            String sha256 = HexFormat.of().formatHex(Digest.sha256(content));
            return switch (Upload.read(name, sha256, content, json)) {
                case Upload.Refused refused -> throw BundleRefusal.of(name, detail(refused.problem()));
                case Upload.Sound sound -> sound;
            };
        } catch (JacksonException e) {
            throw refusal(name, e);
        }
    }

    static String detail(Problem problem) {
        return "cannot be taken: " + (problem.detail() == null ? problem.title() : problem.detail());
    }

    private <T> T document(String name, byte[] bytes, Class<T> type) {
        try {
            T document = json.readValue(bytes, type);
            if (document == null) {
                throw BundleRefusal.of(name, "must be an object");
            }
            return document;
        } catch (JacksonException e) {
            throw refusal(name, e);
        }
    }

    private static BundleRefusal refusal(String name, JacksonException e) {
        String what = switch (e) {
            case UnrecognizedPropertyException unknown -> "is not a known field";
            case ValueInstantiationException refused
            when refused.getCause() instanceof FieldChecks.Refused check -> check.what();
            default -> "cannot be read: " + BundleFile.shown(e.getOriginalMessage());
        };
        return BundleRefusal.of(name, "cannot be taken: " + Problems.field(e) + " " + what);
    }
}
