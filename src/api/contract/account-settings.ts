/**
 * What the link of a registration does in the browser that registered: makes the account with the name and password typed
 * there, or asks for them like everywhere else, for computers that people share.
 */
export const verificationModes = ["same-browser", "always-choose"] as const;

/** What admins set about accounts. */
export type AccountSettings = { verification: (typeof verificationModes)[number] };

/** What holds until an admin sets something else. */
export const defaultAccountSettings: AccountSettings = { verification: "same-browser" };

/** Whether a value is one of {@link verificationModes}. */
export const isVerificationMode = (value: unknown): value is AccountSettings["verification"] =>
  verificationModes.some((mode) => mode === value);
