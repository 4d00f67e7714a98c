/**
 * What has become of runs: their list, the page of one, live, its verdicts, and the API of scripts.
 *
 * <p>{@link RunReadPages} shows a {@link RunDetail}, {@link RunLivePages} again whenever something changed; {@link RunPages}
 * and {@link RunApi} create and cancel; {@link RunVerdictsPages} lists a run's tests. {@link RunPageStore} reads all of it.
 */
@NullMarked
package dev.loomboard.runpages;

import org.jspecify.annotations.NullMarked;
