package dev.loomboard.artefact;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The stacks of two sides laid over each other. What an upload may hold at most is bounded here once more: it becomes objects. */
final class FlameTree {

    /** As deep as is recorded. */
    private static final int DEEPEST = 512;

    private static final int MOST_NODES = 200_000;

    /**
     * @param first samples of the first side with this frame here, and all above it
     * @param second the same
     */
    private static final class Node {
        final String name;
        final int depth;
        final Map<String, Node> children = new TreeMap<>();
        double first;
        double second;

        Node(String name, int depth) {
            this.name = name;
            this.depth = depth;
        }

        void add(boolean toFirst, double samples) {
            if (toFirst) {
                first += samples;
            } else {
                second += samples;
            }
        }
    }

    /** Samples of a frame; of the tree's boxes with what was called, of methods without. */
    record Samples(String name, int depth, double first, double second) {}

    private final Node root = new Node("all", 0);
    private final Map<String, double[]> methods = new HashMap<>();
    private int nodes;

    /** @param stacks collapsed, as they were checked when they were uploaded */
    static FlameTree of(byte[] first, byte[] second) {
        FlameTree tree = new FlameTree();
        new String(first, StandardCharsets.UTF_8).lines().forEach(line -> tree.add(line, true));
        new String(second, StandardCharsets.UTF_8).lines().forEach(line -> tree.add(line, false));
        return tree;
    }

    private void add(String line, boolean toFirst) {
        int space = line.lastIndexOf(' ');
        double samples = Double.parseDouble(line.substring(space + 1));
        Node node = root;
        node.add(toFirst, samples);
        int from = 0;
        while (from < space) {
            int next = line.indexOf(';', from);
            int to = next < 0 || next > space ? space : next;
            Node below = below(node, line.substring(from, to));
            if (below == null) {
                break;
            }
            node = below;
            node.add(toFirst, samples);
            from = to + 1;
        }
        String leaf = line.substring(line.lastIndexOf(';', space) + 1, space);
        methods.computeIfAbsent(leaf, name -> new double[2])[toFirst ? 0 : 1] += samples;
    }

    /** Null: the tree is as large as it may be. */
    private @Nullable Node below(Node node, String name) {
        Node known = node.children.get(name);
        if (known != null || node.depth == DEEPEST || nodes == MOST_NODES) {
            return known;
        }
        nodes++;
        Node made = new Node(name, node.depth + 1);
        node.children.put(name, made);
        return made;
    }

    double first() {
        return root.first;
    }

    double second() {
        return root.second;
    }

    /** Each method with the samples in which it ran itself. */
    List<Samples> methods() {
        List<Samples> all = new ArrayList<>();
        methods.forEach((name, of) -> all.add(new Samples(name, 0, of[0], of[1])));
        return all;
    }

    /** From the root, each before what it called, by name; without those that are a smaller share of either side than {@code least}. */
    List<Samples> boxes(double least) {
        List<Samples> boxes = new ArrayList<>();
        Deque<Node> left = new ArrayDeque<>();
        left.push(root);
        while (!left.isEmpty()) {
            Node node = left.pop();
            if (node.first < least * root.first && node.second < least * root.second) {
                continue;
            }
            boxes.add(new Samples(node.name, node.depth, node.first, node.second));
            new ArrayList<>(node.children.values()).reversed().forEach(left::push);
        }
        return boxes;
    }
}
