import type { Pattern } from "../engine-types.ts";

const shared = { category: "cross-site-scripting", severity: "critical", view: "markup" } as const;

/** What honest texts have now and then, for those who want to see more. */
export const eagerMarkupPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 6060,
    paranoia: 2,
    title: "Any element",
    needs: ["<"],
    find: (text) => /<[/!?]?[a-z]/.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 6061,
    paranoia: 2,
    title: "Any handler or style",
    needs: ["on", "style", "href"],
    find: (text) => /(?:^|[^a-z])(?:on[a-z]{3,32}|style|href)\s{0,8}=/.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 6062,
    paranoia: 2,
    title: "Expression of a template",
    needs: ["{{"],
    find: (text) => /\{\{[^{}]{1,128}\}\}/.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 6063,
    paranoia: 3,
    title: "Word of scripts",
    needs: ["javascript", "script", "document", "window", "alert"],
    find: (text) => /\b(?:javascript|vbscript|<script|document\.|window\.|alert\b)/.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 6064,
    paranoia: 4,
    title: "Angle bracket",
    needs: ["<", ">"],
    find: (text) => /[<>]/.exec(text)?.[0] ?? null,
  },
];
