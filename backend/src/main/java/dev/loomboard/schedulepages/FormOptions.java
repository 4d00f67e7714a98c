package dev.loomboard.schedulepages;

import dev.loomboard.schedule.Choice;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a form offers: the matrices and machines of the workspaces in which the person may make schedules. */
public record FormOptions(List<Choice> matrices, List<Choice> machines) {

    public FormOptions {
        matrices = List.copyOf(matrices);
        machines = List.copyOf(machines);
    }

    public Optional<Choice> matrix(String id) {
        return of(matrices, id);
    }

    public Optional<Choice> machine(String id) {
        return of(machines, id);
    }

    /** What is wrong with the choice. */
    public List<FieldError> problems(ScheduleForm form) {
        List<FieldError> found = new ArrayList<>();
        var matrix = matrix(form.matrix());
        var machine = machine(form.machine());
        if (matrix.isEmpty() && !form.matrix().isEmpty()) {
            found.add(new FieldError("matrix", "is put away or not yours: choose another"));
        }
        if (machine.isEmpty() && !form.machine().isEmpty()) {
            found.add(new FieldError("machine", "is revoked or not yours: choose another"));
        }
        if (matrix.isPresent()
                && machine.isPresent()
                && !matrix.get().workspaceKey().equals(machine.get().workspaceKey())) {
            found.add(new FieldError(
                    "machine",
                    "belongs to the workspace " + machine.get().workspace() + ", the matrix to "
                            + matrix.get().workspace() + ": both must be of one"));
        }
        return found;
    }

    /** True when names need their workspace beside them. */
    public boolean manyWorkspaces() {
        return java.util.stream.Stream.concat(matrices.stream(), machines.stream())
                        .map(Choice::workspace)
                        .distinct()
                        .count()
                > 1;
    }

    private static Optional<Choice> of(List<Choice> choices, String id) {
        return choices.stream().filter(c -> c.id().equals(id)).findFirst();
    }
}
