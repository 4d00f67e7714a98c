@NullMarked
package dev.loomboard.artefact;

import org.jspecify.annotations.NullMarked;
