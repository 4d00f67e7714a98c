/**
 * Makes the bundle of a run and sends it.
 *
 * <p>{@link dev.loomboard.runexport.ExportApi} answers, {@link dev.loomboard.runexport.BundleExportService} has the two stores read
 * the run a part at a time and {@link dev.loomboard.runexport.BundleWriter} write it.
 *
 * <p>It must not read anything of people: no account, no note, no e-mail address.
 */
@NullMarked
package dev.loomboard.runexport;

import org.jspecify.annotations.NullMarked;
