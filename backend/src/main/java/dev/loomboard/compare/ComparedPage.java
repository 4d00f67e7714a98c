package dev.loomboard.compare;

import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;

/** What {@code /compare} shows: a comparison, or what can be compared. */
sealed interface ComparedPage extends Page permits ChooserPage, ComparePage, MultiChooserPage, MultiComparisonPage {

    PageTwin twin();
}
