package dev.loomboard.mail;

/** A mail of plain text to one person. */
public record Mail(String to, String subject, String text) {}
