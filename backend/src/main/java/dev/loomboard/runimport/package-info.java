/**
 * Takes a bundle as a run of this service, whole or not at all.
 *
 * <p>{@link dev.loomboard.runimport.BundleReader} reads and checks the whole file before anything is stored; {@link
 * dev.loomboard.runimport.BundleImportService} then stores it in one transaction and makes the run's numbers anew of its batches, by the
 * same path as uploads.
 *
 * <p>It must not trust a number that a bundle states: only what an agent may send, and what names and dates it, is taken over.
 */
@NullMarked
package dev.loomboard.runimport;

import org.jspecify.annotations.NullMarked;
