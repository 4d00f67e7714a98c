package dev.loomboard.run;

import java.time.Duration;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RunConfig {

    @Bean
    RunSettings runSettings(
            @Value("${loomboard.run.lease}") Duration lease,
            @Value("${loomboard.run.heartbeat}") Duration heartbeat,
            @Value("${loomboard.run.away-limit}") Duration awayLimit) {
        return new RunSettings(lease, heartbeat, awayLimit);
    }

    @Bean
    JobDetail leaseExpiry() {
        return JobBuilder.newJob(LeaseExpiryJob.class)
                .withIdentity("lease-expiry", "run")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger leaseExpiryTrigger(JobDetail leaseExpiry) {
        return TriggerBuilder.newTrigger()
                .forJob(leaseExpiry)
                .withIdentity("lease-expiry", "run")
                .withSchedule(SimpleScheduleBuilder.repeatMinutelyForever()
                        .withMisfireHandlingInstructionNextWithRemainingCount())
                .build();
    }
}
