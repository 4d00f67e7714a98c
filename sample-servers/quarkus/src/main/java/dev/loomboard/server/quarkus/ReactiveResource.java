package dev.loomboard.server.quarkus;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.unchecked.Unchecked;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jboss.resteasy.reactive.RestQuery;

/**
 * The workloads on event loops, which no method holds: a calculation goes to the worker pool, and a delay is a timer for
 * which no thread waits.
 */
@Path("/")
@Produces(MediaType.TEXT_PLAIN)
@EndpointDisabled(name = Variant.REACTIVE_ON, stringValue = "off", disableIfMissing = true)
public final class ReactiveResource {

    private final Fortunes fortunes;
    private final SqlSleep sqlSleep;

    ReactiveResource(Fortunes fortunes, SqlSleep sqlSleep) {
        this.fortunes = fortunes;
        this.sqlSleep = sqlSleep;
    }

    @POST
    @Path("empty")
    public Uni<String> empty() {
        return Uni.createFrom().item(Workloads.OK);
    }

    @POST
    @Path("io")
    public Uni<String> io(@RestQuery String delayMs) {
        return delayed(Uni.createFrom().item(Workloads.OK), Parameters.delayMs(delayMs, 100));
    }

    @POST
    @Path("compute")
    public Uni<String> compute(@RestQuery String seed) {
        OptionalLong parsed = Parameters.seed(seed);
        return onWorker(() -> Work.compute(parsed));
    }

    @POST
    @Path("matmul")
    public Uni<String> matmul(@RestQuery String size, @RestQuery String delayMs, @RestQuery String seed) {
        return multiplyThenDelay(Parameters.size(size, 200), Parameters.delayMs(delayMs, 25), Parameters.seed(seed));
    }

    @POST
    @Path("mixed")
    public Uni<String> mixed(@RestQuery String size, @RestQuery String delayMs, @RestQuery String seed) {
        return multiplyThenDelay(Parameters.size(size, 150), Parameters.delayMs(delayMs, 100), Parameters.seed(seed));
    }

    @POST
    @Path("thread-start")
    public Uni<String> threadStart(@RestQuery String count) {
        int parsed = Parameters.count(count);
        return onWorker(() -> Workloads.threadStart(parsed));
    }

    @POST
    @Path("json")
    @Produces(MediaType.APPLICATION_JSON)
    public Uni<Message> json() {
        return Uni.createFrom().item(Message::hello);
    }

    @POST
    @Path("sql-sleep")
    public Uni<String> sqlSleep(@RestQuery String delayMs) {
        return sqlSleep.sleep(Parameters.delayMs(delayMs, 100));
    }

    @POST
    @Path("fortunes")
    @Produces(MediaType.APPLICATION_JSON)
    public Uni<List<Fortune>> fortunes() {
        return fortunes.select();
    }

    private static Uni<String> multiplyThenDelay(int size, long delayMs, OptionalLong seed) {
        return delayed(onWorker(() -> Work.matmul(size, seed)), delayMs);
    }

    private static Uni<String> onWorker(Callable<String> work) {
        return Uni.createFrom()
                .item(Unchecked.supplier(work::call))
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    }

    private static Uni<String> delayed(Uni<String> answer, long delayMs) {
        // A delay of no time is refused.
        return delayMs == 0 ? answer : answer.onItem().delayIt().by(Duration.ofMillis(delayMs));
    }
}
