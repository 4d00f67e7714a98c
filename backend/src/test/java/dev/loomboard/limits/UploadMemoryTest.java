package dev.loomboard.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much of the heap uploads get, without any upload. */
final class UploadMemoryTest {

    private static final long MIB = 1024 * 1024;

    private final UploadMemory memory = UploadMemory.ofHeap(512 * MIB);

    @Test
    void largest_upload_is_taken_alone_and_the_next_when_it_is_over() {
        UploadMemory.Share first = memory.share();
        UploadMemory.Share second = memory.share();
        assertThat(first.unpack(32 * MIB)).isTrue();
        assertThat(second.unpack(32 * MIB)).isFalse();
        assertThat(second.unpack(1)).isFalse();
        first.end();
        assertThat(second.unpack(32 * MIB)).isTrue();
    }

    @Test
    void many_uploads_of_the_usual_size_are_taken_at_once() {
        List<UploadMemory.Share> taken = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            UploadMemory.Share share = memory.share();
            assertThat(share.receive(8 * 1024)).isTrue();
            assertThat(share.unpack(50 * 1024)).isTrue();
            taken.add(share);
        }
        taken.forEach(UploadMemory.Share::end);
        assertThat(memory.share().unpack(32 * MIB)).isTrue();
    }

    @Test
    void bodies_on_the_wire_have_a_part_of_their_own() {
        for (int i = 0; i < 8; i++) {
            assertThat(memory.share().receive(4 * MIB)).isTrue();
        }
        assertThat(memory.share().receive(4 * MIB)).isFalse();
        assertThat(memory.share().unpack(MIB)).isTrue();
    }

    @Test
    void what_is_over_takes_nothing_more() {
        UploadMemory.Share share = memory.share();
        share.end();
        assertThat(share.receive(1)).isFalse();
        assertThat(share.unpack(1)).isFalse();
        share.end();
        assertThat(memory.share().unpack(32 * MIB)).isTrue();
    }

    @Test
    void small_heap_still_takes_the_largest_upload_and_a_huge_one_several() {
        assertThat(UploadMemory.ofHeap(128 * MIB).share().unpack(32 * MIB)).isTrue();
        UploadMemory huge = UploadMemory.ofHeap(Long.MAX_VALUE);
        assertThat(huge.share().unpack(32 * MIB)).isTrue();
        assertThat(huge.share().unpack(32 * MIB)).isTrue();
    }
}
