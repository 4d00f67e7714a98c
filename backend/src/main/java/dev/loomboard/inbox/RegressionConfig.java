package dev.loomboard.inbox;

import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RegressionConfig {

    @Bean
    JobDetail rerunJob() {
        return JobBuilder.newJob(FollowUpJob.class)
                .withIdentity("rerun", "regression")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger rerunTrigger(JobDetail rerunJob) {
        return TriggerBuilder.newTrigger()
                .forJob(rerunJob)
                .withIdentity("rerun", "regression")
                .withSchedule(SimpleScheduleBuilder.repeatMinutelyForever()
                        .withMisfireHandlingInstructionNextWithRemainingCount())
                .build();
    }
}
