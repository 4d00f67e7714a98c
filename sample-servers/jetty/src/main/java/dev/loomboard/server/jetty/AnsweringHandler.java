package dev.loomboard.server.jetty;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Sends answers, made on a thread that may block, and says which parameter was wrong. */
abstract class AnsweringHandler extends Handler.Abstract {

    abstract Answer answer(Request request, Response response) throws Exception;

    @Override
    public final boolean handle(Request request, Response response, Callback callback) throws Exception {
        Answer answer;
        try {
            answer = answer(request, response);
        } catch (BadParameter e) {
            answer = Answer.text(HttpStatus.BAD_REQUEST_400, e.getMessage());
        }
        response.setStatus(answer.status());
        if (!answer.body().isEmpty()) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        }
        Content.Sink.write(response, true, answer.body(), callback);
        return true;
    }
}
