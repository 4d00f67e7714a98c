package dev.loomboard.matrix;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Puts the matrices that ship with the service into the default workspace at every start: those for people, and those of our tools. */
@Configuration(proxyBeanMethods = false)
@DependsOnDatabaseInitialization
class PresetConfig implements InitializingBean {

    /** Starting waits for the database, here; nothing that serves requests ever does. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final MatrixStore matrices;

    PresetConfig(MatrixStore matrices) {
        this.matrices = matrices;
    }

    @Override
    public void afterPropertiesSet() throws IOException {
        put("classpath*:matrices/*.yaml", true);
        put("classpath*:matrices/tools/*.yaml", false);
    }

    private void put(String files, boolean listed) throws IOException {
        for (Resource file : new PathMatchingResourcePatternResolver().getResources(files)) {
            String source = file.getContentAsString(StandardCharsets.UTF_8);
            switch (MatrixReader.read(source)) {
                case MatrixReader.Read read ->
                    matrices.putPreset(read.spec(), source, listed).block(TIMEOUT);
                case MatrixReader.Refused refused ->
                    throw new IllegalStateException(
                            file.getFilename() + " that ships with this build: " + refused.problems());
            }
        }
    }
}
