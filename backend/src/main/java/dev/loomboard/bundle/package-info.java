/**
 * A run bundle: one file that holds one run, all that its agent sent and what names and dates it, as {@code api/bundle-v1.md} describes it.
 *
 * <p>Here are its parts and their bounds. {@link dev.loomboard.bundle.BundleManifest} lists its members, {@link
 * dev.loomboard.bundle.BundleRun} is the run; each record refuses what a bundle must not say. {@code runexport} makes bundles, {@code
 * runimport} takes them; neither knows the other.
 */
@NullMarked
package dev.loomboard.bundle;

import org.jspecify.annotations.NullMarked;
