/**
 * Pages about the product itself: methodology, glossary, API, component patterns, status.
 *
 * <p>{@link AboutPages} serves all of them. {@link MethodologyPage} prints the parameters from the classes that decide by
 * them, and the published simulation; {@link ApiPage} lists the operations that {@link Contracts} reads from the OpenAPI
 * files; {@link GlossaryPage} prints the terms of GLOSSARY.md and the metric catalogue; {@link StatusStore} counts what the caller may see.
 *
 * <p>It reads no result of a measurement, and no other package depends on it.
 */
@NullMarked
package dev.loomboard.about;

import org.jspecify.annotations.NullMarked;
