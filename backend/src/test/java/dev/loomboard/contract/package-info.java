/** Both API descriptions held against what the service really takes and answers. */
@NullMarked
package dev.loomboard.contract;

import org.jspecify.annotations.NullMarked;
