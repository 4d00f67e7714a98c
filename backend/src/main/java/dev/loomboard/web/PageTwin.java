package dev.loomboard.web;

/**
 * The JSON at a page's address with {@code .json}: a record, all of whose components everybody may read who may read the page.
 * The page itself is one if it holds nothing else. {@code PageTwinTest} lists their properties.
 */
public interface PageTwin {}
