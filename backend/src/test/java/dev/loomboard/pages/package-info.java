/** Every page as its readers meet it: as HTML, as the part htmx asks for, as JSON, in a browser. */
@NullMarked
package dev.loomboard.pages;

import org.jspecify.annotations.NullMarked;
