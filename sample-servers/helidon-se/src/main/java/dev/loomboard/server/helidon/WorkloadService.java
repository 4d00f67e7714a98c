package dev.loomboard.server.helidon;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/** The workloads, written the blocking way. The work comes first, the delay after it. */
final class WorkloadService implements HttpService {

    private static final String OK = "ok";

    @Override
    public void routing(HttpRules rules) {
        rules.post("/empty", this::empty)
                .post("/io", this::io)
                .post("/compute", this::compute)
                .post("/matmul", this::matmul)
                .post("/mixed", this::mixed)
                .post("/json", this::json)
                .post("/thread-start", this::threadStart);
    }

    private void empty(ServerRequest request, ServerResponse response) {
        response.send(OK);
    }

    private void io(ServerRequest request, ServerResponse response) throws InterruptedException {
        Thread.sleep(new Parameters(request).delayMs(100));
        response.send(OK);
    }

    private void compute(ServerRequest request, ServerResponse response) {
        response.send(Work.compute(new Parameters(request).seed()));
    }

    private void matmul(ServerRequest request, ServerResponse response) throws InterruptedException {
        Parameters parameters = new Parameters(request);
        response.send(multiplyThenSleep(parameters, parameters.size(200), parameters.delayMs(25)));
    }

    private void mixed(ServerRequest request, ServerResponse response) throws InterruptedException {
        Parameters parameters = new Parameters(request);
        response.send(multiplyThenSleep(parameters, parameters.size(150), parameters.delayMs(100)));
    }

    /** An object of this request's own, written by Helidon's support of Jackson. */
    private void json(ServerRequest request, ServerResponse response) {
        response.send(new Message("Hello, World!"));
    }

    /** A batch: as many virtual threads, one after the other. */
    private void threadStart(ServerRequest request, ServerResponse response) throws InterruptedException {
        response.send(Threads.startOneByOne(new Parameters(request).count(100_000)));
    }

    private static String multiplyThenSleep(Parameters parameters, int size, long delayMs) throws InterruptedException {
        String answer = Work.matmul(size, parameters.seed());
        Thread.sleep(delayMs);
        return answer;
    }
}
