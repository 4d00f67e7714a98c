package dev.loomboard.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.StoreTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The service that speaks TLS itself, with a certificate that is exchanged while it runs. */
@OneAtATime
final class TlsTest extends StoreTest {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path folder = Path.of("");

    @Test
    void browsers_are_told_to_stay_with_https_and_a_new_certificate_is_taken_without_a_restart() throws Exception {
        Path certificate = folder.resolve("tls.crt");
        Path key = folder.resolve("tls.key");
        Certificate first = write("first", certificate, key);
        try (ConfigurableApplicationContext service = start(certificate, key)) {
            URI signIn = URI.create(
                    "https://localhost:" + service.getEnvironment().getProperty("local.server.port") + "/sign-in");
            HttpResponse<String> answer = get(signIn, first);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).contains("max-age=31536000");
            assertThat(answer.headers().allValues("Set-Cookie"))
                    .isNotEmpty()
                    .allSatisfy(
                            cookie -> assertThat(cookie).startsWith("__Host-").contains("Secure"));
            URI plain = URI.create(signIn.toString().replace("https", "http"));
            assertThatThrownBy(() -> get(plain, first)).isInstanceOf(IOException.class);

            Certificate second = write("second", certificate, key);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (!trusted(signIn, second)) {
                assertThat(System.nanoTime())
                        .as("the new certificate is not taken")
                        .isLessThan(deadline);
                TimeUnit.MILLISECONDS.sleep(50);
            }
            assertThat(trusted(signIn, first)).isFalse();
        }
    }

    @Test
    void half_of_the_settings_or_a_file_that_is_not_there_is_refused_by_name() throws IOException {
        String there = Files.writeString(folder.resolve("there.pem"), "").toString();
        assertThatThrownBy(() -> settings(there, ""))
                .isInstanceOf(StartupRefusal.class)
                .hasMessage("LOOMBOARD_TLS_KEY is missing.");
        assertThatThrownBy(() -> settings("/no/such/cert.pem", "/no/such/key.pem"))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("cannot be read");
        assertThat(settings("", "").containsProperty("server.ssl.bundle")).isFalse();
    }

    private static StandardEnvironment settings(String certificate, String key) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "given", Map.of("loomboard.tls.certificate", certificate, "loomboard.tls.key", key)));
        SpringApplication application = new SpringApplication();
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        new TlsConfig().postProcessEnvironment(environment, application);
        return environment;
    }

    private ConfigurableApplicationContext start(Path certificate, Path key) {
        return Service.start(
                url,
                "--loomboard.tls.certificate=" + certificate,
                "--loomboard.tls.key=" + key,
                "--spring.ssl.bundle.watch.file.quiet-period=200ms");
    }

    private static boolean trusted(URI uri, Certificate certificate) throws Exception {
        try {
            return get(uri, certificate).statusCode() == 200;
        } catch (SSLException e) { // also while the one file is new and the other not yet
            return false;
        }
    }

    private static HttpResponse<String> get(URI uri, Certificate trusted) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("service", trusted);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    /** A key pair of its own in PEM, by the JDK's own tool. */
    private Certificate write(String name, Path certificate, Path key) throws Exception {
        Path made = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        made.toString(),
                        "-storepass",
                        new String(PASSWORD)))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(made)) {
            store.load(content, PASSWORD);
        }
        Files.writeString(key, pem("PRIVATE KEY", store.getKey(name, PASSWORD).getEncoded()));
        Files.writeString(
                certificate, pem("CERTIFICATE", store.getCertificate(name).getEncoded()));
        return store.getCertificate(name);
    }

    private static String pem(String what, byte[] content) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
    }
}
