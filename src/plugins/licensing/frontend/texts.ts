import type { LicenceState } from "../backend/wire.ts";

/** The sentences of the page. */
export const texts = {
  loadFailed: "The license could not be loaded",
  tryAgain: "Try again",
  status: "License",
  states: {
    community: "Community",
    active: "Active",
    grace: "Grace period",
    expired: "Expired",
    invalid: "Invalid",
  } satisfies Record<LicenceState, string>,
  facts: {
    plan: "Plan",
    owner: "Owner",
    id: "License",
    issued: "Issued",
    ends: "Valid through",
    grace: "Grace period through",
    left: "Days left",
    graceLeft: "Days left in grace period",
    entered: "Entered",
    never: "Does not expire",
    nobody: "No owner",
  },
  ended: (plan: string, owner: string) => `Entered key: ${plan}, ${owner}`,
  entry: {
    title: "Enter a license key",
    another: "Enter another key",
    label: "License key",
    hint: "Paste the whole key, which starts with “atrium1.”. It is verified on this server; nothing is sent.",
    placeholder: "atrium1.…",
    submit: "Verify and save",
    replaces: "The current license stays until the new key is verified.",
    missing: "Please paste a license key",
    failed: "The key could not be saved",
  },
  removal: {
    open: "Remove license",
    title: "Remove the license?",
    question: (owner: string) =>
      `This installation returns to the Community license instead of that of ${owner}. Keep the key to enter it again later.`,
    ofKey: "The invalid key is deleted. You can enter it again later.",
    action: "Remove license",
    failed: "The license could not be removed",
  },
  meaning: {
    title: "About licenses",
    points: [
      "A license names the owner of this installation and a plan, here and in the footer of every page.",
      "It is a text signed by its issuer and verified on this server. Nothing is sent anywhere.",
      "Without a key, or after its grace period, the Community license applies. No feature is locked, and no data is changed.",
      "To issue your own licenses, add the public key of your issuer in the settings of this plugin.",
    ],
  },
} as const;
