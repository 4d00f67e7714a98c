package dev.loomboard.expansion;

import java.util.ArrayList;
import java.util.List;

/**
 * Random orders that a seed decides: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) and the shuffle of Fisher and Yates. The
 * agent has the same in Go ({@code plan/order.go}).
 */
final class SeededOrder {

    private long state;

    SeededOrder(long seed) {
        state = seed;
    }

    /** The groups in a random order, the cells of each in a random order of their own, next to each other. */
    List<Integer> block(List<List<Integer>> groups) {
        List<Integer> order = new ArrayList<>();
        for (List<Integer> group : shuffled(groups)) {
            order.addAll(shuffled(group));
        }
        return order;
    }

    private <T> List<T> shuffled(List<T> all) {
        List<T> order = new ArrayList<>(all);
        for (int i = order.size() - 1; i > 0; i--) {
            // Of 2^64 values these are as good as equally likely.
            int j = (int) Long.remainderUnsigned(next(), i + 1);
            T moved = order.get(i);
            order.set(i, order.get(j));
            order.set(j, moved);
        }
        return order;
    }

    private long next() {
        state += 0x9e3779b97f4a7c15L;
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
