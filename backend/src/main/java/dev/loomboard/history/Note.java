package dev.loomboard.history;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * What a person noted on a series.
 *
 * @param series external id
 * @param id external id
 * @param day it is about
 * @param build slug of the build it is about; null: the day alone says it
 * @param by name of who noted it
 */
public record Note(
        String series,
        String id,
        LocalDate day,
        @Nullable String build,
        @Nullable String version,
        String text,
        String by) {}
