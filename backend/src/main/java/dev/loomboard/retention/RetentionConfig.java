package dev.loomboard.retention;

import java.util.TimeZone;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RetentionConfig {

    private static final int HOUR = 3;
    private static final int MINUTE = 40;

    @Bean
    JobDetail sampleRetention() {
        return JobBuilder.newJob(SampleRetentionJob.class)
                .withIdentity("sample-retention", "service")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger sampleRetentionTrigger(JobDetail sampleRetention) {
        return nightly(sampleRetention);
    }

    @Bean
    JobDetail messageRetention() {
        return JobBuilder.newJob(MessageRetentionJob.class)
                .withIdentity("message-retention", "service")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger messageRetentionTrigger(JobDetail messageRetention) {
        return nightly(messageRetention);
    }

    /** A service that was away at that time makes up for it when it is there again. */
    private static Trigger nightly(JobDetail job) {
        return TriggerBuilder.newTrigger()
                .forJob(job)
                .withIdentity(job.getKey().getName(), job.getKey().getGroup())
                .withSchedule(CronScheduleBuilder.dailyAtHourAndMinute(HOUR, MINUTE)
                        .inTimeZone(TimeZone.getTimeZone("UTC"))
                        .withMisfireHandlingInstructionFireAndProceed())
                .build();
    }
}
