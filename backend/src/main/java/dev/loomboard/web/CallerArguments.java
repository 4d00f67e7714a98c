package dev.loomboard.web;

import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/** Hands controllers the {@link Caller} and the {@link Shell} of a request as arguments. */
final class CallerArguments implements SyncHandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return Caller.class.isAssignableFrom(type) || type == Shell.class;
    }

    @Override
    public Object resolveArgumentValue(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        Class<?> type = parameter.getParameterType();
        if (type == Shell.class) {
            return Exchanges.shell(exchange);
        }
        Caller caller = Exchanges.caller(exchange);
        if (!type.isInstance(caller)) {
            throw new IllegalStateException(
                    "the route table admits a " + caller.getClass().getSimpleName() + " where " + parameter.getMethod()
                            + " takes a " + type.getSimpleName());
        }
        return caller;
    }
}
