/** What is said of snapshots. */
export const snapshotTexts = {
  onlyEmbedded: "Only the embedded database has snapshots; use atrium backup instead",
} as const;
