package dev.loomboard.outbox;

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
class OutboxConfig {

    private static final int SECONDS = 15;

    @Bean
    OutboxTimes outboxTimes(
            @Value("${loomboard.notice.settle}") Duration settle,
            @Value("${loomboard.notice.longest}") Duration longest,
            @Value("${loomboard.notice.lease}") Duration lease) {
        return new OutboxTimes(settle, longest, lease);
    }

    @Bean
    JobDetail outboxJob() {
        return JobBuilder.newJob(OutboxJob.class)
                .withIdentity("outbox", "service")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger outboxTrigger(JobDetail outboxJob) {
        return TriggerBuilder.newTrigger()
                .forJob(outboxJob)
                .withIdentity("outbox", "service")
                .withSchedule(SimpleScheduleBuilder.repeatSecondlyForever(SECONDS)
                        .withMisfireHandlingInstructionNextWithRemainingCount())
                .build();
    }
}
