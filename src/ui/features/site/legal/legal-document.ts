import type { LegalPath } from "./texts.ts";

/** Something that is stored, and for how long. */
export type LegalEntry = { name: string; purpose: string; kept: string };

/** A paragraph, a list, or a table of what is stored. */
export type LegalBlock = string | { list: readonly string[] } | { entries: readonly LegalEntry[] };

/** One numbered section; its number is its place. `id` is its address within the page. */
export type LegalSection = { id: string; title: string; blocks: readonly LegalBlock[] };

/** A legal page's whole text; its title follows from its address. */
export type LegalDocument = { path: LegalPath; lead: string; sections: readonly LegalSection[] };
