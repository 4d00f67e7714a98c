package dev.loomboard.quota;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

@Configuration(proxyBeanMethods = false)
class QuotaConfig {

    @Bean
    QuotaDefaults quotaDefaults(
            @Value("${loomboard.quota.stored}") DataSize stored,
            @Value("${loomboard.artefact.quota}") DataSize artefacts,
            @Value("${loomboard.quota.machines}") int machines,
            @Value("${loomboard.quota.queued-runs}") int queuedRuns,
            @Value("${loomboard.quota.matrices}") int matrices,
            @Value("${loomboard.quota.schedules}") int schedules) {
        return new QuotaDefaults(stored.toBytes(), artefacts.toBytes(), machines, queuedRuns, matrices, schedules);
    }
}
