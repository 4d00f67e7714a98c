package dev.loomboard.schedule;

import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What Quartz does for schedules besides firing them. Every start of a replica puts it in place again, beginning now. */
@Configuration(proxyBeanMethods = false)
class ScheduleJobsConfig {

    @Bean
    JobDetail reconcileSchedulesJob() {
        return JobBuilder.newJob(ReconcileJob.class)
                .withIdentity("reconcile", "service")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger reconcileSchedulesTrigger(JobDetail reconcileSchedulesJob) {
        return TriggerBuilder.newTrigger()
                .withIdentity("reconcile", "service")
                .forJob(reconcileSchedulesJob)
                .startNow()
                .withSchedule(SimpleScheduleBuilder.repeatMinutelyForever()
                        .withMisfireHandlingInstructionNextWithRemainingCount())
                .build();
    }
}
