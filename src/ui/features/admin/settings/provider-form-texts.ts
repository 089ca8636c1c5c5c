/** What the form begins with for a kind of provider: the pattern of its issuer, and the names of its claims. */
export const presets = {
  oidc: { name: "Any OpenID Connect provider", issuer: "", email: "email" },
  google: { name: "Google Workspace", issuer: "https://accounts.google.com", email: "email" },
  // Its id tokens have no email_verified, and the address as preferred_username.
  entra: {
    name: "Microsoft Entra",
    issuer: "https://login.microsoftonline.com/{tenant-id}/v2.0",
    email: "preferred_username",
  },
  okta: { name: "Okta", issuer: "https://{your-org}.okta.com", email: "email" },
  keycloak: { name: "Keycloak", issuer: "https://{your-host}/realms/{your-realm}", email: "email" },
} as const;
export type Preset = keyof typeof presets;

/** Words of the form of a sign-in provider. */
export const providerFormTexts = {
  addTitle: "Add sign-in provider",
  preset: "Kind of provider",
  presetHint: "Fills in the pattern of the issuer and the names of claims. Replace what is in braces.",
  name: "Name",
  nameHint: "Part of the URLs below, such as acme; it can't be changed later.",
  nameTaken: "There is a provider of this name already",
  secret: "Client secret",
  secretSaved: "Leave empty to keep it",
  redirect: "Redirect URL",
  redirectHint: "Enter this URL at the provider.",
  logout: "Sign-out URL",
  logoutHint: "For back-channel sign-out, where the provider offers it.",
  users: "Users",
  claims: "Scopes and claims",
  save: "Save provider",
  saveFailed: "The provider could not be saved",
  remove: "Remove",
  removeTitle: (label: string) => `Remove ${label}?`,
  removeText:
    "No one can sign in with it anymore, and its client secret is deleted. Users stay linked to it.",
  removeConfirm: "Remove provider",
  removeFailed: "The provider could not be removed",
  onceOff: "If you switch it off",
} as const;
