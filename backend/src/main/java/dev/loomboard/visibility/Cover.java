package dev.loomboard.visibility;

import org.jspecify.annotations.Nullable;

/**
 * Why a machine is not seen by everybody, though its owner may have said so.
 *
 * @param statedPublic what its owner said
 * @param hidden why an administrator hid it or its workspace; null: none did
 */
public record Cover(
        boolean statedPublic,
        boolean workspacePrivate,
        @Nullable String hidden) {}
