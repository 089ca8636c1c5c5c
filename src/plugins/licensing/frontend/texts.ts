import type { LicenceState } from "../backend/wire.ts";

/** The sentences of the page. */
export const texts = {
  loadFailed: "The license could not be loaded",
  status: "License",
  states: {
    community: "Community",
    active: "Active",
    grace: "In grace period",
    expired: "Expired",
    invalid: "Not valid",
  } satisfies Record<LicenceState, string>,
  facts: {
    plan: "Plan",
    owner: "Owner",
    id: "License",
    issued: "Issued",
    ends: "Valid through",
    grace: "Grace period through",
    left: "Days left",
    graceLeft: "Grace days left",
    entered: "Entered",
    never: "No expiry date",
    noOwner: "No owner",
  },
  ended: (plan: string, owner: string) => `Expired: ${plan}, ${owner}`,
  entry: {
    title: "Enter a license key",
    another: "Enter another key",
    label: "License key",
    hint: "Paste the whole key; it starts with “atrium1.”. It is verified on this server, without contacting anyone.",
    placeholder: "atrium1.…",
    submit: "Verify and save",
    replaces: "The current license stays in use until the new key is verified.",
    missing: "Please paste a license key",
    failed: "The key could not be saved",
  },
  removal: {
    open: "Remove license",
    title: "Remove the license?",
    question: (owner: string) =>
      `This installation switches from ${owner}'s license to the Community license. Keep the key: you can undo this by entering it again.`,
    ofKey: "The key isn't in effect and will be deleted. You can enter it again later.",
    action: "Remove license",
    failed: "The license could not be removed",
  },
  meaning: {
    title: "What a license means",
    points: [
      "A license names the owner of this installation and a plan, on this page and in the footer of every page.",
      "A license key is signed by its issuer. The signature is verified on this server; nothing is sent anywhere.",
      "Without a key, and after the grace period, the Community license applies. Nothing is locked, and no data is changed.",
      "To issue your own licenses, add your public key in the settings of this plugin.",
    ],
  },
} as const;
