package dev.loomboard.matrix;

import dev.loomboard.web.Page;
import java.util.List;

/** Every matrix that the visitor may see, but for those of our tools. */
public record MatrixListPage(List<Matrix> matrices) implements Page {
    public MatrixListPage {
        matrices = List.copyOf(matrices);
    }

    @Override
    public String template() {
        return "matrix/list.jte";
    }
}
