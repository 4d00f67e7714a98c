/** Uploads: a batch of a trial is read strictly, stored whole in one transaction or not at all, and acknowledged after. */
@NullMarked
package dev.loomboard.ingest;

import org.jspecify.annotations.NullMarked;
