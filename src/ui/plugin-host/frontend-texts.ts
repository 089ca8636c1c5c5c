import type { PluginSignature } from "#contract/plugins.ts";

const publisherOf = ({ state, publisher }: PluginSignature): string => {
  if (state === "bundled") return "part of Atrium";
  return state === "signed" && publisher !== null ? `published by ${publisher}` : "publisher not verified";
};

/** Words around plugins' own pages. */
export const frontendTexts = {
  failed: (title: string) => `The page of ${title} could not be shown`,
  failedText: "Everything else goes on. What went wrong may have passed.",
  reload: "Reload",
  /** A plugin picks its own title, so its publisher is named as well. */
  source: (title: string, signature: PluginSignature) =>
    `Content from the plugin ${title} (${publisherOf(signature)})`,
  loading: "Loading the plugin's page",
  late: "It did not answer in time.",
  noPage: "Its frontend has no page.",
  invalid: "Its frontend needs a default export with the manifest's name and version.",
  notice: (title: string, text: string) => `${title}: ${text}`,
} as const;
