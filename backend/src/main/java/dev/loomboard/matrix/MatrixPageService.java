package dev.loomboard.matrix;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Gathers a matrix's page: also for the form on it that queues a run, which has to be shown again when refused. */
@Service
public class MatrixPageService {

    private final MatrixStore matrices;
    private final MachineStore machines;

    MatrixPageService(MatrixStore matrices, MachineStore machines) {
        this.matrices = matrices;
        this.machines = machines;
    }

    /** The page; an error of 404 when the caller may not see the matrix. */
    public Mono<MatrixPage> page(Caller caller, String workspace, String slug, FormState form) {
        return matrices.find(caller, workspace, slug)
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .flatMap(matrix -> machines.visible(caller)
                        .filter(machine -> caller.may(Right.RUN, machine.workspaceKey())
                                && !machine.agent().revoked())
                        .collectList()
                        .map(mine ->
                                new MatrixPage(matrix, caller.may(Right.MATRICES, matrix.workspaceKey()), mine, form)));
    }
}
