package dev.loomboard.download;

import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DownloadConfig {

    @Bean
    Downloads downloads(@Value("${loomboard.downloads}") String folder) {
        return folder.isBlank() ? Downloads.none() : Downloads.of(Path.of(folder));
    }
}
