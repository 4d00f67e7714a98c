package dev.loomboard.schedule;

import dev.loomboard.kernel.WorkspaceId;

/** A matrix or machine that a form may offer. */
public record Choice(WorkspaceId workspaceKey, String workspace, long key, String id, String title) {}
