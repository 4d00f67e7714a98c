package dev.loomboard.operation;

import dev.loomboard.kernel.StartupRefusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Makes the service speak TLS where a certificate and its key are given, as files in PEM. It is Spring's bundle of these files,
 * which is read again when they change; settings that are absent cannot be written in {@code application.yaml}.
 */
final class TlsConfig implements EnvironmentPostProcessor {

    /** Present: the service speaks TLS. */
    private static final String BUNDLE = "server.ssl.bundle";

    private static final String NAME = "loomboard";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        String certificate =
                environment.getProperty("loomboard.tls.certificate", "").strip();
        String key = environment.getProperty("loomboard.tls.key", "").strip();
        boolean serves = application.getWebApplicationType() != WebApplicationType.NONE;
        if (!serves || (certificate.isEmpty() && key.isEmpty())) {
            return;
        }
        String pem = "spring.ssl.bundle.pem." + NAME;
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "tls",
                        Map.of(
                                pem + ".keystore.certificate",
                                file("LOOMBOARD_TLS_CERTIFICATE", certificate),
                                pem + ".keystore.private-key",
                                file("LOOMBOARD_TLS_KEY", key),
                                pem + ".reload-on-update",
                                "true",
                                BUNDLE,
                                NAME)));
    }

    private static String file(String setting, String path) {
        if (path.isEmpty()) {
            throw new StartupRefusal(
                    setting + " is missing.",
                    "Give both LOOMBOARD_TLS_CERTIFICATE and LOOMBOARD_TLS_KEY, or neither where a proxy speaks TLS.");
        }
        Path file = Path.of(path).toAbsolutePath();
        if (!Files.isReadable(file)) {
            throw new StartupRefusal(
                    setting + " is " + file + ", which cannot be read.",
                    "Name a file in PEM that the user of the service may read.");
        }
        return "file:" + file;
    }
}
