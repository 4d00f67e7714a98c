/**
 * What a bare machine fetches from the service: the installer, the agent for its architecture, servers to measure.
 *
 * <p>{@link Downloads} is the folder of a release, and {@link DownloadApi} hands out the files that its list names.
 * {@link dev.loomboard.download.ServerListApi} signs the list of servers for a machine that is registered.
 *
 * <p>It makes no archive and believes none: {@code make release} packs them, and the machine that fetches one compares its digest.
 */
@NullMarked
package dev.loomboard.download;

import org.jspecify.annotations.NullMarked;
