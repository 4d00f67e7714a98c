package dev.loomboard.kit;

import dev.loomboard.LoomboardApplication;
import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.kernel.ExternalId;
import java.util.Objects;
import java.util.stream.Stream;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.impl.matchers.GroupMatcher;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;

/** The whole service, started once per JVM on a free port with a database of its own. */
public final class Service {

    /** Given as LOOMBOARD_BOOTSTRAP_TOKEN, as the demo's driver does. */
    public static final String BOOTSTRAP_TOKEN = "lbt_" + "a2".repeat(26);

    /** Given as LOOMBOARD_METRICS_TOKEN. */
    public static final String METRICS_TOKEN = "metrics-".repeat(5);

    private final ConfigurableApplicationContext context;
    private final DatabaseUrl database = TestDatabases.fresh();

    private Service() {
        context = new SpringApplicationBuilder(LoomboardApplication.class)
                .web(WebApplicationType.REACTIVE)
                .run(
                        "--server.port=0",
                        "--loomboard.database.url=" + database.withPassword(),
                        "--loomboard.bootstrap-token=" + BOOTSTRAP_TOKEN,
                        "--loomboard.metrics-token=" + METRICS_TOKEN,
                        "--server.forward-headers-strategy=framework", // a test may come from any address
                        "--loomboard.requests.per-caller=1000000", // all tests are a few callers, from one address
                        "--loomboard.requests.at-once-per-caller=1000000",
                        "--loomboard.requests.per-address=1000000",
                        "--loomboard.requests.at-once-per-address=1000000",
                        "--loomboard.quota.machines=100000", // of one workspace, in which all tests are
                        "--loomboard.quota.queued-runs=100000",
                        "--loomboard.quota.matrices=100000",
                        "--loomboard.quota.schedules=100000",
                        "--loomboard.sign-up=open",
                        "--loomboard.mail.host=127.0.0.1",
                        "--loomboard.mail.port=" + MailServer.shared().port(),
                        "--loomboard.mail.from=loomboard@example.org",
                        "--loomboard.mail.tls=none",
                        "--loomboard.webhooks=anywhere", // a test's receiver is on loopback
                        "--loomboard.openid.issuer=" + ScriptedProvider.shared().issuer(),
                        "--loomboard.openid.client-id=" + ScriptedProvider.CLIENT,
                        "--loomboard.openid.client-secret=" + ScriptedProvider.SECRET,
                        "--loomboard.openid.name=" + ScriptedProvider.NAME,
                        "--loomboard.pages.kept-for=0s", // tests look at once for what they changed
                        "--spring.lifecycle.timeout-per-shutdown-phase=1s");
        restJobs();
    }

    /** What the service does every minute would change a test's rows amid the test, which does it itself when it is due. */
    private void restJobs() {
        try {
            bean(Scheduler.class).pauseTriggers(GroupMatcher.anyTriggerGroup());
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * One of a test's own in this JVM, on a free port; the test closes it.
     *
     * @param settings as on a command line
     */
    public static ConfigurableApplicationContext start(DatabaseUrl database, String... settings) {
        return new SpringApplicationBuilder(LoomboardApplication.class)
                .web(WebApplicationType.REACTIVE)
                .initializers(Service::ownEventLoops)
                .run(Stream.concat(
                                Stream.of(
                                        "--server.port=0",
                                        "--loomboard.database.url=" + database.withPassword(),
                                        // Quartz knows connections by its name, once in a JVM.
                                        "--spring.quartz.properties.org.quartz.scheduler.instanceName="
                                                + ExternalId.random("own").value(),
                                        "--spring.quartz.auto-startup=false", // nothing changes what a test compares
                                        "--spring.lifecycle.timeout-per-shutdown-phase=1s"),
                                Stream.of(settings))
                        .toArray(String[]::new));
    }

    /** Else the end of one would end the event loops of all. */
    private static void ownEventLoops(ConfigurableApplicationContext context) {
        ((GenericApplicationContext) context).registerBean(ReactorResourceFactory.class, () -> {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            return resources;
        });
    }

    private static final class Shared {
        static final Service INSTANCE = new Service();
    }

    public static Service shared() {
        return Shared.INSTANCE;
    }

    public String url() {
        return "http://localhost:"
                + Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port"));
    }

    /** The service's own, for programs that work beside it. */
    public DatabaseUrl database() {
        return database;
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** A new object whose constructor is given beans. */
    public <T> T create(Class<T> type) {
        return context.getAutowireCapableBeanFactory().createBean(type);
    }
}
