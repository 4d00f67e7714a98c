/**
 * Charts and tables as pictures of their own (SVG), for documents and other sites that link to an address.
 *
 * <p>{@link ChartPicture} draws a {@link dev.loomboard.view.Chart} as the page does, {@link TablePicture} rows with their
 * intervals. {@link Svg} writes, {@link Axis} says where values lie.
 *
 * <p>Plain Java. A picture has the colours of light pages and nothing that a reader's browser would have to load or run.
 */
@NullMarked
package dev.loomboard.picture;

import org.jspecify.annotations.NullMarked;
