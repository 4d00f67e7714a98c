package dev.loomboard.limits;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Lets readers of bodies take what {@link RequestBodyFilter} lets pass. */
@Configuration(proxyBeanMethods = false)
class CodecConfig implements WebFluxConfigurer {

    @Override
    public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
        configurer.defaultCodecs().maxInMemorySize(Math.toIntExact(BodyLimits.ARTEFACT.inflated()));
    }
}
