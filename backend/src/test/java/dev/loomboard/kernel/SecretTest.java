package dev.loomboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class SecretTest {

    @Test
    void secret_has_prefix_and_52_characters() {
        assertThat(Secret.random("lba").value()).matches("lba_[a-z2-7]{52}");
        assertThat(ExternalId.random("run").value()).matches("run_[a-z2-7]{20}");
    }

    @Test
    void two_are_never_the_same() {
        assertThat(Stream.generate(() -> ExternalId.random("run")).limit(1000).collect(Collectors.toSet()))
                .hasSize(1000);
    }

    @Test
    void hash_is_sha256_of_the_text() {
        Secret secret = new Secret("lbt_" + "a".repeat(52));
        // printf 'lbt_aaaa…' | sha256sum
        assertThat(HexFormat.of().formatHex(secret.hash()))
                .isEqualTo("45b941f21f6ee688407bdc13fcee40b84cf0125c081118906e49518aa8b63182");
    }

    @Test
    void secret_is_not_printed() {
        Secret secret = Secret.random("lba");
        assertThat(secret.toString()).isEqualTo("lba_…");
        assertThatThrownBy(() -> new Secret("lba_hunter2")).hasMessageNotContaining("hunter2");
    }

    @Property(tries = 300)
    void base32_agrees_with_bits(@ForAll byte[] bytes) {
        StringBuilder bits = new StringBuilder();
        for (byte b : bytes) {
            bits.append(String.format("%8s", Integer.toBinaryString(b & 0xff)).replace(' ', '0'));
        }
        while (bits.length() % 5 != 0) {
            bits.append('0');
        }
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < bits.length(); i += 5) {
            expected.append("abcdefghijklmnopqrstuvwxyz234567".charAt(Integer.parseInt(bits.substring(i, i + 5), 2)));
        }
        assertThat(Base32.encode(bytes)).isEqualTo(expected.toString());
    }
}
