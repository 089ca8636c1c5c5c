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
