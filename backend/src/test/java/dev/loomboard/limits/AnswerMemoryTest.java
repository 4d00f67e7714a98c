package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How much answers may hold that nobody takes, without any answer. */
final class AnswerMemoryTest {

    private static final long MIB = 1024 * 1024;

    private final AnswerMemory memory = AnswerMemory.ofHeap(512 * MIB);

    @Test
    void one_caller_holds_half_of_it_and_leaves_the_rest_to_others() {
        assertThat(memory.take("one", 30 * MIB)).isTrue();
        assertThat(memory.take("one", 2 * MIB)).isTrue();
        assertThat(memory.take("one", 1)).isFalse();
        assertThat(memory.take("other", 31 * MIB)).isTrue();
        assertThat(memory.take("third", 2 * MIB)).as("all together").isFalse();
    }

    @Test
    void what_is_taken_makes_room() {
        assertThat(memory.take("one", 32 * MIB)).isTrue();
        memory.giveBack("one", 32 * MIB);
        assertThat(memory.take("one", 20 * MIB)).isTrue();
        assertThat(memory.take("one", 12 * MIB)).isTrue();
        memory.giveBack("one", 20 * MIB);
        assertThat(memory.take("one", 20 * MIB)).isTrue();
        assertThat(memory.take("one", 1)).isFalse();
    }

    @Test
    void even_the_largest_answer_is_given_to_one_who_asks_alone() {
        assertThat(memory.take("one", 100 * MIB)).isTrue();
        assertThat(memory.take("other", 1)).isFalse();
        memory.giveBack("one", 100 * MIB);
        assertThat(memory.take("other", 1)).isTrue();
    }
}
