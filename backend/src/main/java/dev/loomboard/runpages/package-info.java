/**
 * What has become of runs: their list, the page of one, live, and the API of scripts.
 *
 * <p>{@link RunReadPages} shows a {@link RunDetail}, {@link RunLivePages} again whenever something changed; {@link RunPages}
 * and {@link RunApi} create and cancel. {@link RunPageStore} reads what pages show, {@link RunStatusStore} what scripts ask for.
 * The tests of a run are in {@code runverdicts}.
 */
@NullMarked
package dev.loomboard.runpages;

import org.jspecify.annotations.NullMarked;
