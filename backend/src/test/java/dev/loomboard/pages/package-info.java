/**
 * Every page as its readers meet it: as HTML, as JSON, in a browser.
 *
 * <p>{@link ReadPagesTest} reads pages and their JSON as each caller, {@link BrowserPagesTest} every page
 * with Chromium and axe, in light and dark, at 1440 and at 360 px. The others look at one page's words and figures.
 * {@link ShownPages} is their base.
 *
 * <p>They assert what is shown, not how it is stored.
 */
@NullMarked
package dev.loomboard.pages;

import org.jspecify.annotations.NullMarked;
