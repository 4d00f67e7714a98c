package dev.loomboard.matrix;

import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.kernel.MachineId;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Whether machines are what matrices require. */
@Service
public class RequirementService {

    private final MatrixStore matrices;
    private final InventoryStore inventories;

    RequirementService(MatrixStore matrices, InventoryStore inventories) {
        this.matrices = matrices;
        this.inventories = inventories;
    }

    /** What the machine lacks, as the end of a sentence; empty: nothing. */
    public Mono<String> lacking(MatrixSpec spec, MachineId machine) {
        Requirements requires = spec.requires();
        return requires == null
                ? Mono.empty()
                : inventories
                        .capabilities(machine)
                        .map(requires::lackedBy)
                        .filter(lacks -> !lacks.isEmpty())
                        .map(lacks -> "lacks what the matrix requires: " + String.join("; ", lacks));
    }

    /** The same for a matrix by its internal key. */
    public Mono<String> lacking(long matrix, MachineId machine) {
        return matrices.byKey(matrix).flatMap(found -> lacking(found.spec(), machine));
    }
}
