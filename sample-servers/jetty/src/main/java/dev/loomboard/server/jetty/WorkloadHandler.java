package dev.loomboard.server.jetty;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/** Answers requests by a workload. */
final class WorkloadHandler extends AnsweringHandler {

    private final Workload workload;

    WorkloadHandler(Workload workload) {
        this.workload = workload;
    }

    @Override
    Answer answer(Request request, Response response) throws Exception {
        if (!HttpMethod.POST.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, HttpMethod.POST.asString());
            return Answer.empty(HttpStatus.METHOD_NOT_ALLOWED_405);
        }
        Parameters parameters = new Parameters(Request.extractQueryParameters(request));
        return new Answer(HttpStatus.OK_200, workload.contentType(), workload.answer(parameters));
    }
}
