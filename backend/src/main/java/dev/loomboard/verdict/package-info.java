/** The tests of a run: declared when it is created, judged when it ends, and the page of its verdicts. */
@NullMarked
package dev.loomboard.verdict;

import org.jspecify.annotations.NullMarked;
