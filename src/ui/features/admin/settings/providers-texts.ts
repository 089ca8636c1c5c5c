import type { ProviderState } from "#contract/provider-settings.ts";

const counted = (users: number): string => `${users} ${users === 1 ? "user" : "users"}`;

/** Words about sign-in providers. */
export const providersTexts = {
  lead: "OpenID Connect providers with which users can sign in, besides their password.",
  loading: "Loading sign-in providers",
  loadFailed: "The sign-in providers could not be loaded",
  tryAgain: "Try again",
  none: "No sign-in providers",
  noneText:
    "Let users sign in with the accounts that they have elsewhere, such as Google Workspace, Microsoft Entra, Okta or Keycloak.",
  list: "Sign-in providers",
  add: "Add provider",
  edit: (label: string) => `Edit ${label}`,
  view: (label: string) => `View ${label}`,
  editShort: "Edit",
  viewShort: "View",
  states: {
    on: "In use",
    off: "Off",
    overruled: "Overruled",
    unreadable: "Secret missing",
  } satisfies Record<ProviderState, string>,
  stateTexts: {
    on: null,
    off: "No one can sign in with it.",
    overruled: "The environment has a provider of this name or issuer, which is used instead.",
    unreadable: "The stored client secret can't be read. Enter it again.",
  } satisfies Record<ProviderState, string | null>,
  locked: (variables: string) => `Configured by ${variables}; it can only be changed there.`,
  users: (users: number) => (users === 0 ? "No linked users" : `${counted(users)} linked`),
  elsewhere: (users: number) =>
    `${counted(users)} linked it at another issuer or under another name and can't sign in with it until they unlink that and link it again.`,
} as const;
