import { choice, defineSettings, type ValuesOf } from "./define-settings.ts";

/** What admins set about accounts; the firewall never manages it. */
export const accountSettings = defineSettings("accounts", {
  verification: choice({
    default: "same-browser",
    options: {
      "same-browser": "Use the password typed at registration in the same browser",
      "always-choose": "Always ask for name and password",
    },
    label: "Email verification",
    hint: "In the browser that registered, an emailed link creates the account with the password typed there. Choose the second option for computers that people share.",
    about: "what a verification link does where its owner registered",
    description:
      "Whether a verification link makes the account at once in the browser that registered (`same-browser`), or asks for " +
      "name and password there too (`always-choose`)",
  }),
});

export type AccountSettings = ValuesOf<typeof accountSettings>;
