package dev.loomboard.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A key is replaced while a trial is uploaded: by whichever of the two the rest comes, all of it is stored. */
final class KeyRotationUploadTest extends UploadWebTest {

    @Test
    void a_trial_goes_on_under_the_new_key_and_under_the_old_one_until_its_time_is_over() throws IOException {
        assertThat(put("first", b -> {})).isEqualTo(204);
        Secret next = Secret.random("lba");
        bearer(plan.agentKey().value())
                .put()
                .uri("/api/agent/v1/key")
                .bodyValue(Map.of("agentKey", next.value()))
                .exchange()
                .expectStatus()
                .isOk();
        assertThat(send(next, 1, middle(1), true, null).status()).isEqualTo(204);
        assertThat(send(plan.agentKey(), 2, middle(2), true, null).status()).isEqualTo(204);
        execute("update machine set previous_key_until = now() - interval '1 second' where external_id = '"
                + plan.machine() + "'");
        refused(401, null, () -> send(plan.agentKey(), 3, middle(3), true, null));
        assertThat(send(next, 3, middle(3), true, null).status()).isEqualTo(204);
        assertThat(count("batch")).isEqualTo(4);
    }

    /** A batch of nothing new. */
    private byte[] middle(int seq) throws IOException {
        return gzip(own("middle", b -> {
            b.put("seq", seq);
            b.remove(List.of("phases", "ticks", "windows", "steps"));
        }));
    }
}
