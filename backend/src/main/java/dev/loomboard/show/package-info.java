/** What pages are made of: figures in words, shared axes, charts and filters. Plain Java, no framework, no statistic. */
@NullMarked
package dev.loomboard.show;

import org.jspecify.annotations.NullMarked;
