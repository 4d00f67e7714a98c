/** Artefacts: what diagnostic trials leave besides their batches, kept, served and shown. */
@NullMarked
package dev.loomboard.artefact;

import org.jspecify.annotations.NullMarked;
