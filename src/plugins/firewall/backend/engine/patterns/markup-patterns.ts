import type { Pattern } from "../engine-types.ts";
import { scriptPatterns } from "./markup-scripts.ts";
import { tagPatterns } from "./markup-tags.ts";

/** Markup and scripts that a browser would run. */
export const markupPatterns: readonly Pattern[] = [...tagPatterns, ...scriptPatterns];
