package dev.loomboard.server.jetty;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers requests by a workload, on a thread that may block. */
final class WorkloadHandler extends Handler.Abstract {

    private final Workload workload;

    WorkloadHandler(Workload workload) {
        this.workload = workload;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!HttpMethod.POST.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, HttpMethod.POST.asString());
            Response.writeError(request, response, callback, HttpStatus.METHOD_NOT_ALLOWED_405);
            return true;
        }
        String type = workload.contentType();
        String body;
        try {
            body = workload.answer(new Parameters(Request.extractQueryParameters(request)));
        } catch (BadParameter e) {
            response.setStatus(HttpStatus.BAD_REQUEST_400);
            type = Workload.TEXT;
            body = e.getMessage();
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        Content.Sink.write(response, true, body, callback);
        return true;
    }
}
