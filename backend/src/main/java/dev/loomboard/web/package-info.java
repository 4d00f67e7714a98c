/** The edge every feature shares: who calls, routes, URLs, pages, errors, limits. Depends on no other package. */
@NullMarked
package dev.loomboard.web;

import org.jspecify.annotations.NullMarked;
