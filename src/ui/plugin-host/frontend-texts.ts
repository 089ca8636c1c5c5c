/** Words around plugins' own pages. */
export const frontendTexts = {
  failed: (title: string) => `The page of ${title} could not be shown`,
  failedText: "Everything else goes on. What went wrong may have passed.",
  reload: "Reload",
  loading: "Loading the plugin's page",
  late: "It did not answer in time.",
  noPage: "Its frontend has no page.",
  invalid: "Its frontend needs a default export with the manifest's name and version.",
  notice: (title: string, text: string) => `${title}: ${text}`,
} as const;
