package dev.loomboard.operation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.listeners.JobListenerSupport;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.quartz.autoconfigure.SchedulerFactoryBeanCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The registry of all figures, and those that belong to no part of the service alone. */
@Configuration(proxyBeanMethods = false)
class OperationConfig {

    @Bean(destroyMethod = "close")
    PrometheusMeterRegistry figures() {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    }

    /** Made with the web server, which no figure may have to wait for. */
    @Bean
    OperationFigures operationFigures(MeterRegistry registry, ObjectProvider<MeterBinder> parts) {
        parts.forEach(part -> part.bindTo(registry));
        OperationFigures figures = new OperationFigures();
        figures.show(registry);
        return figures;
    }

    @Bean
    MeterBinder memory() {
        return new JvmMemoryMetrics();
    }

    @Bean
    JvmGcMetrics collections() {
        return new JvmGcMetrics();
    }

    @Bean
    MeterBinder threads() {
        return new JvmThreadMetrics();
    }

    @Bean
    MeterBinder processors() {
        return new ProcessorMetrics();
    }

    @Bean
    MeterBinder uptime() {
        return new UptimeMetrics();
    }

    @Bean
    MeterBinder fileDescriptors() {
        return new FileDescriptorMetrics();
    }

    /** Direct memory is not in the heap, and a service that has none left cannot answer. */
    @Bean
    MeterBinder networkBuffers() {
        return registry -> {
            if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider provider) {
                Gauge.builder(
                                "loomboard.netty.direct.memory",
                                provider,
                                of -> of.metric().usedDirectMemory())
                        .description("Direct memory that Netty holds for buffers of connections")
                        .baseUnit("bytes")
                        .register(registry);
            }
        };
    }

    @Bean
    JobTimes jobTimes(MeterRegistry registry, Clock clock) {
        return new JobTimes(registry, clock);
    }

    @Bean
    SchedulerFactoryBeanCustomizer listeningScheduler(JobTimes times) {
        return scheduler -> scheduler.setGlobalJobListeners(new EndedJobs(times));
    }

    private static final class EndedJobs extends JobListenerSupport {

        private final JobTimes times;

        EndedJobs(JobTimes times) {
            this.times = times;
        }

        @Override
        public String getName() {
            return "figures";
        }

        @Override
        public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException failure) {
            Class<?> type = context.getJobDetail().getJobClass();
            if (failure == null) {
                times.succeeded(type);
            } else {
                times.failed(type);
            }
        }
    }
}
