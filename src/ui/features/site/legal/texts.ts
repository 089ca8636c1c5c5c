/** Words around every legal text. */
export const legalTexts = {
  updated: "Last updated:",
  /** Stands where the date will be, for readers without scripts; true on every day. */
  today: "today",
  contents: "On this page",
  operatorTitle: "For whoever runs this site",
  operatorText:
    "You are the controller of the data described here, and this text is a beginning, not legal advice. It says what the software does as it is delivered. Put in your name and address, the law that applies to you, whom you share data with, and what you have changed.",
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
