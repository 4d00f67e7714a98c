/**
 * What happens to every request around its controller: filters, arguments, the answer to an error.
 *
 * <p>{@link FilterOrder} has the order of all filters, also of other packages. {@link ErrorAnswers} is the only place that makes
 * error bodies; {@link Problems} says what an exception means.
 */
@NullMarked
package dev.loomboard.web.request;

import org.jspecify.annotations.NullMarked;
