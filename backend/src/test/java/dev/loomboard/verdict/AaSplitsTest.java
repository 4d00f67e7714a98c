package dev.loomboard.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.cell.TrialState;
import dev.loomboard.cli.Commands;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AaSplitsTest {

    private static final List<String> METRICS = List.of(DeclaredTest.CPU, DeclaredTest.MEMORY);
    private static final int SPLITS = 500;

    @TempDir
    Path folder;

    @Test
    void trials_that_differ_by_chance_alone_are_hardly_ever_called_different() {
        AaSplits splits = AaSplits.of(trials(0), METRICS, SPLITS, 5, 1);
        assertThat(splits.without()).isZero();
        assertThat(splits.falsely(DeclaredTest.CPU)).isLessThanOrEqualTo(0.01);
        assertThat(splits.of(DeclaredTest.CPU, Verdict.INCONCLUSIVE)).isPositive();
        int all = 0;
        for (Verdict verdict : Verdict.values()) {
            all += splits.of(DeclaredTest.MEMORY, verdict);
        }
        assertThat(all).isEqualTo(SPLITS);
    }

    @Test
    void judge_that_is_asked_is_the_one_that_sees_real_differences() {
        // Every second split or so puts most of the dear trials on one side; some put all of them there.
        AaSplits splits = AaSplits.of(trials(1).subList(0, 10), METRICS, SPLITS, 5, 1);
        assertThat(splits.of(DeclaredTest.CPU, Verdict.FASTER)).isPositive();
        assertThat(splits.of(DeclaredTest.CPU, Verdict.SLOWER)).isPositive();
        assertThat(splits.wrong()).isPositive();
    }

    @Test
    void same_seed_gives_the_same_splits() {
        assertThat(AaSplits.of(trials(0), METRICS, 50, 5, 7)).isEqualTo(AaSplits.of(trials(0), METRICS, 50, 5, 7));
    }

    @Test
    void too_few_trials_are_refused() {
        assertThatThrownBy(() -> AaSplits.of(trials(0).subList(0, 9), METRICS, 1, 5, 1))
                .hasMessage("9 trials cannot be split into two times 5");
    }

    @Test
    void command_reads_what_a_run_s_page_gives_and_leaves_out_what_cannot_be_used() throws IOException {
        StringBuilder trials = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            trials.append(i == 0 ? "" : ",").append(trial("scored", i == 11 ? "invalid" : "valid", 50 + i % 3));
        }
        trials.append(",").append(trial("diagnostic", "valid", 500));
        Path file = Files.writeString(folder.resolve("run.json"), """
                {"schema": "loomboard.run/1", "cells": [{"server": "s", "variant": "v", "scenario": {"key": "empty@1"},
                 "jdk": {"slug": "j"}, "trials": [%s]}]}
                """.formatted(trials));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(run(out, file.toString(), "--splits=100")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "s v, empty@1, j: 11 usable trials",
                        "11 trials with all of 1 metrics, 100 random splits 5 against 5");
    }

    @Test
    void bad_input_is_named() throws IOException {
        Path other = Files.writeString(folder.resolve("other.json"), "{\"schema\": \"loomboard.series/1\"}");
        Path broken = Files.writeString(folder.resolve("broken.json"), "{");
        for (String[] arguments : new String[][] {
            {},
            {folder.resolve("none").toString()},
            {other.toString()},
            {broken.toString()},
            {other.toString(), "--side=0"}
        }) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            assertThat(run(out, arguments)).isEqualTo(2);
            assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("splits: ");
        }
    }

    private static int run(ByteArrayOutputStream out, String... arguments) {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return Commands.run(
                Stream.concat(Stream.of("splits"), Stream.of(arguments)).toList(), print, print);
    }

    private static String trial(String kind, String validity, int cpu) {
        return """
               {"kind": "%s", "ordinal": 1, "state": "done", "validity": "%s",
                "readings": {"cpu_us_per_request": {"mean": %d, "eligible": true}}}
               """.formatted(kind, validity, cpu);
    }

    /** Forty of 3 % spread, of which every second one costs more. */
    private static List<RunTrial> trials(double more) {
        Random random = new Random(3);
        List<RunTrial> trials = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            double cpu = 50 * (1 + 0.03 * random.nextGaussian() + (i % 2) * more);
            double memory = 100 * (1 + 0.03 * random.nextGaussian());
            trials.add(new RunTrial(
                    0,
                    i + 1,
                    1,
                    TrialState.DONE,
                    Validity.VALID,
                    null,
                    null,
                    null,
                    Map.of(
                            DeclaredTest.CPU, new RunTrial.Value(cpu, true, null),
                            DeclaredTest.MEMORY, new RunTrial.Value(memory, true, null))));
        }
        return trials;
    }
}
