package dev.loomboard.quota;

import org.springframework.r2dbc.core.DatabaseClient;

/** Quotas on a test's database. */
public final class Quotas {

    private Quotas() {}

    public static QuotaService of(DatabaseClient database) {
        long plenty = 1L << 40;
        return new QuotaService(
                new QuotaStore(database, new QuotaDefaults(plenty, plenty, plenty, plenty, plenty, plenty)));
    }
}
