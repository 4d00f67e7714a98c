/**
 * The table of routes: who may use what. {@link Nav} lists the links of the header that have one.
 */
@NullMarked
package dev.loomboard.web.route;

import org.jspecify.annotations.NullMarked;
