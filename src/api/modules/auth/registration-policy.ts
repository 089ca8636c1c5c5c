import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { emailKey } from "#contract/account-rules.ts";
import { registrationTexts } from "#contract/auth-texts.ts";
import type { RegistrationState } from "./contract.ts";

/** Who may register, as pages say it before anyone tries; `notice` is `null` where everyone may. */
export const registrationState = ({ settings }: Pick<Context, "settings">): RegistrationState => {
  const { registration: policy, domains } = settings.current.accounts;
  return { policy, notice: policy === "open" ? null : registrationTexts[policy](domains) };
};

/**
 * Throws `REGISTRATION_CLOSED` unless the settings let the owner of an address make an account without being invited. It says
 * nothing about the address itself.
 */
export const requireOpenRegistration = (ctx: Pick<Context, "settings">, email: string): void => {
  const { policy, notice } = registrationState(ctx);
  if (notice === null) return;
  const { domains } = ctx.settings.current.accounts;
  if (policy === "domains" && domains.some((domain) => isAt(email, domain))) return;
  throw new AppError("REGISTRATION_CLOSED", notice);
};

const anySubdomain = "*.";

const isAt = (email: string, domain: string): boolean => {
  const host = hostOf(email);
  return domain.startsWith(anySubdomain)
    ? host.endsWith(`.${hostOf(`x@${domain.slice(anySubdomain.length)}`)}`)
    : host === hostOf(`x@${domain}`);
};

/** What follows the `@`, in the form in which two spellings are one. */
const hostOf = (email: string): string => {
  const key = emailKey(email);
  return key.slice(key.lastIndexOf("@") + 1);
};
