package dev.loomboard.matrix;

import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What of a matrix a run measures. A long matrix is measured in several runs, each of which is whole by itself: its cells have
 * all their trials, and ranks and histories know nothing of the parts.
 *
 * @param servers such as jetty, or one variant as jetty/virtual; empty: all
 * @param workloads empty: all
 */
public record MatrixPart(List<String> servers, List<String> workloads) {

    /** Of a server or a variant of one. */
    public static final Pattern SERVER = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}(/[a-z0-9][a-z0-9-]{0,62})?");

    public MatrixPart {
        servers = List.copyOf(servers);
        workloads = List.copyOf(workloads);
    }

    /** What it names and the matrix does not have; empty: it has all. */
    public Optional<FieldError> lackedBy(MatrixSpec spec) {
        List<String> variants = spec.dimensions().servers().stream()
                .flatMap(s -> Stream.concat(
                        Stream.of(s.server()), s.variants().stream().map(v -> s.server() + "/" + v)))
                .toList();
        List<String> asked = spec.dimensions().scenarios().stream()
                .map(MatrixSpec.Scenario::workload)
                .distinct()
                .toList();
        return lack("servers", servers, variants).or(() -> lack("workloads", workloads, asked));
    }

    private static Optional<FieldError> lack(String field, List<String> wanted, List<String> there) {
        return wanted.stream()
                .filter(name -> !there.contains(name))
                .findFirst()
                .map(name -> new FieldError(
                        field, "must be of the matrix, is: " + name + "; it has " + String.join(", ", there)));
    }

    /** The matrix without the rest. It must lack nothing. */
    public MatrixSpec of(MatrixSpec spec) {
        MatrixSpec.Dimensions all = spec.dimensions();
        return spec.with(new MatrixSpec.Dimensions(
                all.jdks(),
                all.jdkLimit(),
                servers.isEmpty()
                        ? all.servers()
                        : all.servers().stream()
                                .map(this::of)
                                .filter(s -> !s.variants().isEmpty())
                                .toList(),
                all.scenarios().stream()
                        .filter(s -> workloads.isEmpty() || workloads.contains(s.workload()))
                        .toList(),
                all.collectors(),
                all.limits(),
                all.delays()));
    }

    private MatrixSpec.Servers of(MatrixSpec.Servers all) {
        return servers.contains(all.server())
                ? all
                : new MatrixSpec.Servers(
                        all.server(),
                        all.variants().stream()
                                .filter(variant -> servers.contains(all.server() + "/" + variant))
                                .toList());
    }
}
