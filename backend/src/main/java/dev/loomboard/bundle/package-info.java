/**
 * Run bundles: one file that holds one run, all that its agent sent and what names and dates it, as {@code api/bundle-v1.md} describes
 * it.
 *
 * <p>{@link BundleExportService} writes one from the tables, {@link BundleImportService} takes one: {@link BundleReader} reads and checks
 * the whole file before anything is stored, and the run's numbers are made anew of its batches, by the same path as uploads.
 *
 * <p>It must not trust a number that a bundle states: only what an agent may send, and what names and dates it, is taken over.
 */
@NullMarked
package dev.loomboard.bundle;

import org.jspecify.annotations.NullMarked;
