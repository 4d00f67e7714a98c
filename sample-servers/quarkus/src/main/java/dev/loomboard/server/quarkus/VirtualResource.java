package dev.loomboard.server.quarkus;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;

/** The workloads on a new virtual thread for each request. */
@Path("/")
@Produces(MediaType.TEXT_PLAIN)
@RunOnVirtualThread
@EndpointDisabled(name = Variant.VIRTUAL_ON, stringValue = "off", disableIfMissing = true)
public final class VirtualResource {

    private final Fortunes fortunes;
    private final SqlSleep sqlSleep;

    VirtualResource(Fortunes fortunes, SqlSleep sqlSleep) {
        this.fortunes = fortunes;
        this.sqlSleep = sqlSleep;
    }

    @POST
    @Path("empty")
    public String empty() {
        return Workloads.OK;
    }

    @POST
    @Path("io")
    public String io(@RestQuery String delayMs) throws InterruptedException {
        return Workloads.io(Parameters.delayMs(delayMs, 100));
    }

    @POST
    @Path("compute")
    public String compute(@RestQuery String seed) {
        return Work.compute(Parameters.seed(seed));
    }

    @POST
    @Path("matmul")
    public String matmul(@RestQuery String size, @RestQuery String delayMs, @RestQuery String seed)
            throws InterruptedException {
        return Workloads.multiplyThenSleep(
                Parameters.size(size, 200), Parameters.delayMs(delayMs, 25), Parameters.seed(seed));
    }

    @POST
    @Path("mixed")
    public String mixed(@RestQuery String size, @RestQuery String delayMs, @RestQuery String seed)
            throws InterruptedException {
        return Workloads.multiplyThenSleep(
                Parameters.size(size, 150), Parameters.delayMs(delayMs, 100), Parameters.seed(seed));
    }

    @POST
    @Path("thread-start")
    public String threadStart(@RestQuery String count) throws InterruptedException {
        return Workloads.threadStart(Parameters.count(count));
    }

    @POST
    @Path("json")
    @Produces(MediaType.APPLICATION_JSON)
    public Message json() {
        return Message.hello();
    }

    @POST
    @Path("sql-sleep")
    public String sqlSleep(@RestQuery String delayMs) {
        return sqlSleep.sleep(Parameters.delayMs(delayMs, 100)).await().indefinitely();
    }

    @POST
    @Path("fortunes")
    @Produces(MediaType.APPLICATION_JSON)
    public List<Fortune> fortunes() {
        return fortunes.select().await().indefinitely();
    }
}
