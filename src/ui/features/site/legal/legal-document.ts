/** Something that is stored, and for how long. */
export type LegalEntry = { name: string; purpose: string; kept: string };

/** A paragraph, a list, or a table of what is stored. */
export type LegalBlock = string | { list: readonly string[] } | { entries: readonly LegalEntry[] };

/** One numbered section; its number is its place. `id` is its address within the page. */
export type LegalSection = { id: string; title: string; blocks: readonly LegalBlock[] };

/** A legal page's whole text; its title follows from its address. */
export type LegalDocument = { path: LegalPath; lead: string; sections: readonly LegalSection[] };

/** Words around every legal text. */
export const legalTexts = {
  updated: "Last updated:",
  /** Stands where the date will be, for readers without scripts; true on every day. */
  today: "today",
  contents: "On this page",
  operatorTitle: "For the operator of this site",
  operatorText:
    "You are the controller of the data described here. This text is a starting point, not legal advice. It describes what the software does by default. Add your name and address, the law that applies to you, who you share data with and what you have changed.",
  operator: "Who runs this site",
  kept: "Kept",
  others: "See also",
} as const;

/** The legal pages and their titles. */
export const legalTitles = {
  "/terms": "Terms of Service",
  "/privacy": "Privacy Policy",
  "/cookies": "Cookie Policy",
} as const;

export type LegalPath = keyof typeof legalTitles;
