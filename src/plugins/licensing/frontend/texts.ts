import type { LicenceState } from "../backend/wire.ts";

/** The sentences of the page. */
export const texts = {
  loadFailed: "The licence could not be loaded",
  tryAgain: "Try again",
  status: "Licence",
  states: {
    community: "Community",
    active: "Active",
    grace: "In its time of grace",
    expired: "Ended",
    invalid: "Not valid",
  } satisfies Record<LicenceState, string>,
  facts: {
    plan: "Plan",
    owner: "Owner",
    id: "Licence",
    issued: "Issued",
    ends: "Holds through",
    grace: "Grace through",
    left: "Days left",
    graceLeft: "Days of grace left",
    entered: "Entered",
    never: "It does not end",
    nobody: "Nobody in particular",
  },
  ended: (plan: string, owner: string) => `The key that was entered: ${plan}, ${owner}`,
  entry: {
    title: "Enter a licence key",
    another: "Enter another key",
    label: "Licence key",
    hint: "Paste the whole key: it begins with “atrium1.”. It is verified on this server, and nobody is asked.",
    placeholder: "atrium1.…",
    submit: "Verify and save",
    replaces: "The licence that holds now stays until the new key was verified.",
    missing: "Please paste a licence key",
    failed: "The key could not be saved",
  },
  removal: {
    open: "Remove licence",
    title: "Remove the licence?",
    question: (owner: string) =>
      `This installation goes on with the Community licence instead of that of ${owner}. Keep the key: entering it again undoes this.`,
    ofKey: "The key that does not count is forgotten. Entering it again brings it back.",
    action: "Remove licence",
    failed: "The licence could not be removed",
  },
  meaning: {
    title: "What a licence means",
    points: [
      "A licence names the owner of this installation and a plan, here and in the footer of every page.",
      "It is a text with the issuer's signature. It is checked on this server alone: nothing is sent to anybody.",
      "Without a key, and after its time of grace, the Community licence holds. Nothing is locked by that, and no data is touched.",
      "Who issues licences of their own adds the public key of their issuer in the settings of this plugin.",
    ],
  },
} as const;
