package dev.loomboard.kit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.filter.DelegatingFilterProxy;

/** Spring's authorization server in a Tomcat of its own, on a free port of loopback. Everybody there has one password. */
public final class RealProvider implements AutoCloseable {

    public static final String CLIENT = "loomboard";
    public static final String SECRET = "the client's secret";
    public static final String PASSWORD = "at the provider";

    private final Tomcat tomcat = new Tomcat();
    private final AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();

    private RealProvider() throws IOException, LifecycleException {
        tomcat.setBaseDir(Files.createTempDirectory("provider").toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        Context root = tomcat.addContext("", null);
        context.register(ProviderConfig.class);
        context.setServletContext(root.getServletContext());
        context.refresh();
        FilterDef filter = new FilterDef();
        filter.setFilterName("security");
        filter.setFilter(new DelegatingFilterProxy("springSecurityFilterChain", context));
        root.addFilterDef(filter);
        FilterMap everywhere = new FilterMap();
        everywhere.setFilterName("security");
        everywhere.addURLPattern("/*");
        root.addFilterMap(everywhere);
        Tomcat.addServlet(root, "none", new HttpServlet() {});
        root.addServletMappingDecoded("/", "none");
        tomcat.start();
    }

    public static RealProvider start() {
        try {
            return new RealProvider();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    public String issuer() {
        return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort();
    }

    /** Lets a service send browsers there, to be sent back to {@code redirect}. */
    public void register(String redirect) {
        context.getBean(InMemoryRegisteredClientRepository.class).save(client(CLIENT, SECRET, redirect));
    }

    /**
     * Somebody who can sign in there.
     *
     * @param name also their subject; the address is this at example.org
     */
    public void add(String name) {
        context.getBean(InMemoryUserDetailsManager.class)
                .createUser(User.withUsername(name)
                        .password("{noop}" + PASSWORD)
                        .roles("USER")
                        .build());
    }

    private static RegisteredClient client(String id, String secret, String redirect) {
        return RegisteredClient.withId(id)
                .clientId(id)
                .clientIdIssuedAt(Instant.now())
                .clientSecret("{noop}" + secret)
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri(redirect)
                .scope("openid")
                .scope("email")
                .scope("profile")
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .build();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        } finally {
            context.close();
        }
    }

    /** Not marked as a configuration: the service would find it among its own packages and become a servlet application. */
    @EnableWebSecurity
    static class ProviderConfig {

        @Bean
        SecurityFilterChain filters(HttpSecurity http) {
            return http.oauth2AuthorizationServer(server -> server.oidc(Customizer.withDefaults()))
                    .authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }

        @Bean
        InMemoryRegisteredClientRepository clients() {
            return new InMemoryRegisteredClientRepository(client("nobody", "nobody's", "https://nobody.example.org/"));
        }

        @Bean
        UserDetailsService people() {
            return new InMemoryUserDetailsManager();
        }

        @Bean
        JWKSource<SecurityContext> keys() throws JOSEException {
            return new ImmutableJWKSet<>(
                    new JWKSet(new RSAKeyGenerator(2048).keyID("real").generate()));
        }

        /** For who asks by an access token. */
        @Bean
        JwtDecoder decoder(JWKSource<SecurityContext> keys) {
            return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
        }

        @Bean
        AuthorizationServerSettings settings() {
            return AuthorizationServerSettings.builder().build();
        }

        @Bean
        OAuth2TokenCustomizer<JwtEncodingContext> claims() {
            return token -> {
                if (token.getTokenType().getValue().equals(OidcParameterNames.ID_TOKEN)) {
                    String name = Objects.requireNonNull(token.<Authentication>getPrincipal())
                            .getName();
                    token.getClaims()
                            .claims(claims -> claims.putAll(Map.of(
                                    "email", name + "@example.org", "email_verified", true, "name", "Person " + name)));
                }
            };
        }
    }
}
