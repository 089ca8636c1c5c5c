import type { Account } from "#api/modules/account/contract.ts";
import { type Complaint, emailKey } from "#contract/account-rules.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import type { FormRules } from "#ui/components/ui/form-rules.ts";
import { accountScreenTexts as texts } from "./texts.ts";

/** What has to be typed before an account is deleted: its address, and its password where it has one. */
export const deleteRules = ({
  user,
  hasPassword,
}: Pick<Account, "user" | "hasPassword">): FormRules<"password" | "email"> => ({
  password: (value) => (hasPassword && value === "" ? pageAuthTexts.passwordRequired : null),
  email: (value) => emailDiffers(value, user.email),
});

const emailDiffers = (typed: string, email: string): Complaint =>
  emailKey(typed) === emailKey(email) ? null : texts.emailDiffers;
