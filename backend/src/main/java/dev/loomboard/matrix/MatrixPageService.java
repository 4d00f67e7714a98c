package dev.loomboard.matrix;

import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem;
import java.util.List;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Gathers a matrix's page: also for the form on it that queues a run, which has to be shown again when refused. */
@Service
public class MatrixPageService {

    private final MatrixStore matrices;
    private final MachineStore machines;
    private final JdkStore jdks;

    MatrixPageService(MatrixStore matrices, MachineStore machines, JdkStore jdks) {
        this.matrices = matrices;
        this.machines = machines;
        this.jdks = jdks;
    }

    /** The page; an error of 404 when the caller may not see the matrix. */
    public Mono<MatrixPage> page(Caller caller, String workspace, String slug, FormState form) {
        return matrices.find(caller, workspace, slug)
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .flatMap(matrix -> {
                    boolean owner = caller.may(Right.MATRICES, matrix.workspaceKey());
                    return Mono.zip(
                                    machines.runnable(caller).collectList(),
                                    owner ? warnings(matrix) : Mono.just(List.<String>of()))
                            .map(found -> new MatrixPage(matrix, owner, found.getT1(), found.getT2(), form));
                });
    }

    /** None where the workspace has no build at all: then no word is worse than another. */
    private Mono<List<String>> warnings(Matrix matrix) {
        return jdks.ofWorkspace(matrix.workspaceKey())
                .collectList()
                .map(builds -> builds.isEmpty()
                        ? List.of()
                        : JdkSelectors.unmatched(
                                builds, matrix.spec().dimensions().jdks(), "of the workspace's machines"));
    }
}
