package dev.loomboard.cell;

import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.WireName;
import io.r2dbc.spi.Readable;

/** The columns of a JDK build in a query, and how a row is read that has them. */
public final class JdkSql {

    /** Of {@code jdk_build} as {@code j}. */
    public static final String COLUMNS = columns("j", "jdk");

    private JdkSql() {}

    /**
     * A condition that holds of a build that the caller may see: a machine or a result that he sees has it. Private
     * machines of others show no build. Plan: machine_jdk_jdk_build_ix, leaderboard_entry_jdk_build_ix,
     * point_jdk_build_ix.
     *
     * @param build alias of {@code jdk_build}
     */
    public static String seen(String build) {
        return """
                 (exists (select from machine_jdk h join machine hm using (machine_id)
                           where h.jdk_build_id = %1$s.jdk_build_id and visible(hm))
                  or exists (select from leaderboard_entry he where he.jdk_build_id = %1$s.jdk_build_id and visible(he))
                  or exists (select from point hp join run hr using (run_id)
                              where hp.jdk_build_id = %1$s.jdk_build_id and visible(hr)))
                """.formatted(build);
    }

    /**
     * @param table alias of {@code jdk_build}
     * @param name what the columns' names begin with: a query may read several builds
     */
    public static String columns(String table, String name) {
        return """
                 %1$s.slug as %2$s_slug, %1$s.vendor as %2$s_vendor, %1$s.runtime_version as %2$s_version, %1$s.feature as %2$s_feature,
                 %1$s.availability as %2$s_availability, %1$s.architecture as %2$s_architecture, %1$s.lineage_hash as %2$s_lineage
                """.formatted(table, name);
    }

    public static Jdk read(Readable row) {
        return read(row, "jdk");
    }

    public static Jdk read(Readable row, String name) {
        return new Jdk(
                text(row, name + "_slug"),
                text(row, name + "_vendor"),
                text(row, name + "_version"),
                whole(row, name + "_feature"),
                WireName.of(Availability.class, text(row, name + "_availability")),
                text(row, name + "_architecture"),
                text(row, name + "_lineage"));
    }
}
