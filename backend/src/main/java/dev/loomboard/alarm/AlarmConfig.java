package dev.loomboard.alarm;

import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AlarmConfig {

    @Bean
    JobDetail alarmJob() {
        return JobBuilder.newJob(AlarmJob.class)
                .withIdentity("alarms", "service")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger alarmTrigger(JobDetail alarmJob) {
        return TriggerBuilder.newTrigger()
                .forJob(alarmJob)
                .withIdentity("alarms", "service")
                .withSchedule(SimpleScheduleBuilder.repeatMinutelyForever()
                        .withMisfireHandlingInstructionNextWithRemainingCount())
                .build();
    }
}
