package dev.loomboard.web.request;

import dev.loomboard.web.FrontEnd;
import java.time.Duration;
import org.springframework.boot.autoconfigure.web.WebProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.reactive.config.ResourceHandlerRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.resource.VersionResourceResolver;

/** Serves the files of the front end by their versioned addresses, which a browser asks for once. */
@Configuration(proxyBeanMethods = false)
class FrontEndConfig implements WebFluxConfigurer {

    private static final Duration KEPT = Duration.ofDays(365);

    private final String[] locations;

    FrontEndConfig(WebProperties web) {
        this.locations = web.getResources().getStaticLocations();
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler(FrontEnd.FILES + "**")
                .addResourceLocations(locations)
                .setCacheControl(CacheControl.maxAge(KEPT).cachePublic().immutable())
                .resourceChain(false) // its cache has an entry for each way to write an address, without end
                .addResolver(new VersionResourceResolver().addFixedVersionStrategy(FrontEnd.VERSION, "/**"))
                .addTransformer(new CompressedFiles())
                .addTransformer(new StyleSheet());
    }
}
