/** A part of what is told about an installation: its rows, or why they could not be read. */
export type SupportPart = { rows: Record<string, unknown>[]; problem: string | null };

/** What the database tells whoever looks for a fault. */
export type SupportFacts = {
  tables: SupportPart;
  server: SupportPart;
  migrations: SupportPart;
  settings: SupportPart;
  secrets: SupportPart;
  plugins: SupportPart;
  mails: SupportPart;
  activity: SupportPart;
};
