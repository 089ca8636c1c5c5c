import type { Circumstances } from "#api/core/circumstances.ts";
import { circumstanceLines } from "./circumstance-lines.ts";
import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** A sign-in to tell the owner of the account of; `resetLink` leads to the page that asks for a new password. */
export type NewDeviceSignIn = Circumstances & { name: string; resetLink: string };

/** Tells the owner of an account that somebody signed in with a browser that was not seen before. */
export const newDeviceMail = ({ name, resetLink, ...circumstances }: NewDeviceSignIn): MailText =>
  renderMail({
    subject: "New sign-in to your account",
    preview: "If it was not you, please reset your password.",
    heading: "New sign-in to your account",
    greeting: greeting(name),
    paragraphs: [
      "Somebody, most likely you, signed in to your account with a browser that was not used for it before.",
      ...circumstanceLines(circumstances),
    ],
    button: { label: "Reset password", link: resetLink },
    notes: [
      "If it was you, there is nothing to do. If it was not, please reset your password at once: that signs out every browser.",
    ],
    reason: "You get this mail because somebody signed in to your account.",
  });
