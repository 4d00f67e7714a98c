/** The methods measured by themselves: seeded noise in, how often they cry wolf and what they miss out. */
@NullMarked
package dev.loomboard.simulation;

import org.jspecify.annotations.NullMarked;
