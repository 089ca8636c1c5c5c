import type { PublisherChange } from "#contract/plugins.ts";

/** Words around permissions. */
export const consentTexts = {
  none: "It asks for nothing beyond its own settings.",
  isNew: "New",
  enableTitle: (title: string) => `Enable ${title}?`,
  enableLead: (title: string) => `${title} asks to be allowed to:`,
  readFirst: "Please read this first.",
  updateTitle: (title: string) => `Update ${title}?`,
  updateLead: (version: string) => `Version ${version} asks for more than you have allowed so far:`,
  updateNothing: (version: string) => `Version ${version} asks for nothing new.`,
  keepsRunning: "The version that you have keeps running until then.",
  allowed: "You can switch it off at any time. It is refused whatever is not on this list.",
  allowEnable: "Allow and enable",
  allowUpdate: "Allow and update",
  update: "Update",
  gone: "This version no longer waits: somebody has decided meanwhile.",
  notNow: "Not now",
  discard: "Discard this version",
  enableFailed: "Error toggling plugin",
  updateFailed: "The version could not be taken into use",
  discardFailed: "The version could not be discarded",
  replaceTitle: (title: string) => `Replace the publisher of ${title}?`,
  replaceLead: (version: string) => `Version ${version} asks to be allowed to:`,
  replaceNothing: (version: string) =>
    `Version ${version} asks for nothing beyond what its own publisher was allowed before.`,
  replaceAction: "Replace publisher",
  replaceFailed: "The publisher could not be replaced",
  replaceEffects:
    "It starts with none of the old plugin's settings, secrets, data, files and permissions. They are kept for the old publisher. All administrators get an email.",
  publisherChanged: ({ fromName, toName }: PublisherChange) =>
    `The publisher changes from ${fromName} to ${toName}. Replace it only if you know why.`,
} as const;
