/** What an agent sends and the service stores, each shape once: batches, steps, windows, histograms, the documents of a trial's start and end. Plain Java. */
@NullMarked
package dev.loomboard.measurement;

import org.jspecify.annotations.NullMarked;
