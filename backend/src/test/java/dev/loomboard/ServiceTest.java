package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.WebTest;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SchedulerMetaData;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionManager;

/** How the parts are put together, where a mistake would show only in production. */
final class ServiceTest extends WebTest {

    @Test
    void health_reaches_the_database() {
        client.get()
                .uri("/api/health")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.status")
                .isEqualTo("up");
    }

    @Test
    void schedules_live_in_the_database_and_are_shared_by_replicas() throws SchedulerException {
        SchedulerMetaData scheduler = service.bean(Scheduler.class).getMetaData();
        assertThat(scheduler.isJobStoreSupportsPersistence()).isTrue();
        assertThat(scheduler.isJobStoreClustered()).isTrue();
        assertThat(scheduler.isStarted()).isTrue();
    }

    @Test
    void only_transactions_of_r2dbc_exist() {
        assertThat(service.bean(TransactionManager.class)).isInstanceOf(ReactiveTransactionManager.class);
        assertThat(service.bean(DataSource.class)).as("for Quartz alone").isNotNull();
    }
}
