import js from "@eslint/js";
import globals from "globals";

// Names that scripts take from elsewhere stand in a /* global … */ comment of theirs.
export default [
  {
    ...js.configs.recommended,
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
  },
];
