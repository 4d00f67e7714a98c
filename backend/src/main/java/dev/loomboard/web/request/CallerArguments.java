package dev.loomboard.web.request;

import dev.loomboard.kernel.Caller;
import dev.loomboard.web.ExchangeAttributes;
import dev.loomboard.web.PageContext;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/** Hands controllers the {@link Caller} and the {@link PageContext} of a request as arguments. */
final class CallerArguments implements SyncHandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return Caller.class.isAssignableFrom(type) || type == PageContext.class;
    }

    @Override
    public Object resolveArgumentValue(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        Class<?> type = parameter.getParameterType();
        if (type == PageContext.class) {
            return ExchangeAttributes.shell(exchange);
        }
        Caller caller = ExchangeAttributes.caller(exchange);
        if (!type.isInstance(caller)) {
            throw new IllegalStateException(
                    "the route table admits a " + caller.getClass().getSimpleName() + " where " + parameter.getMethod()
                            + " takes a " + type.getSimpleName());
        }
        return caller;
    }
}
