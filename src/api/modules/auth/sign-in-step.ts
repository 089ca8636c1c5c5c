import { subjectAt } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { hashToken } from "#api/core/ids.ts";
import type { ProviderSession } from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

/** What came before the second factor: `password`, or the id of a provider. */
export type StepWay = string;

/**
 * A sign-in between its first step and the second factor. `credential` is the hash of what the first step was checked against,
 * `device` that of the browser's device cookie, `null` without one.
 */
type SignInStep = {
  userId: string;
  way: StepWay;
  via: ProviderSession | null;
  credential: string;
  device: string | null;
  expiresAtMs: number;
};

const purpose = "sign-in-step";
const place = "auth:step";

/** Packs a step for the browser to keep; no one else can read, make or change one, and nothing is stored. */
export const sealStep = (
  ctx: Context,
  {
    user,
    way,
    via,
    deviceToken,
  }: Pick<SignInStep, "way" | "via"> & {
    user: UserRow;
    deviceToken: string | null;
  },
): string => {
  const step: SignInStep = {
    userId: user.id,
    way,
    via,
    credential: credentialOf(user, way) ?? "",
    device: deviceToken && hashToken(deviceToken),
    expiresAtMs: ctx.clock.now().getTime() + limits.stepMs,
  };
  return Buffer.from(ctx.secrets.seal(purpose, place, Buffer.from(JSON.stringify(step)))).toString(
    "base64url",
  );
};

// As long as the account has that very password or identity, the first step counts.
const credentialOf = (user: UserRow, way: StepWay): string | null => {
  const credential = way === "password" ? user.passwordHash : subjectAt(user, way);
  return credential && hashToken(credential);
};

/** The step that this very browser keeps. Throws {@link stepOver} for every other text. */
export const openStep = (
  ctx: Context,
  { step, deviceToken }: { step: string | null; deviceToken: string | null },
): SignInStep => {
  const opened = step === null ? null : open(ctx, step);
  if (opened === null || opened.expiresAtMs <= ctx.clock.now().getTime()) throw stepOver();
  if (opened.device !== (deviceToken && hashToken(deviceToken))) throw stepOver();
  return opened;
};

const open = (ctx: Context, text: string): SignInStep | null => {
  try {
    // Only `sealStep` can have made it: the seal is authenticated.
    return JSON.parse(
      Buffer.from(ctx.secrets.open(purpose, place, Buffer.from(text, "base64url"))).toString("utf8"),
    ) as SignInStep;
  } catch {
    // Anyone may send anything; why it does not open is of no interest.
    return null;
  }
};

/** Whether the first step still counts for the account as it is now. */
export const isStill = (step: SignInStep, user: UserRow): boolean =>
  user.disabledAt === null &&
  user.secondFactorAt !== null &&
  credentialOf(user, step.way) === step.credential;

/** The refusal of a sign-in whose first step does not count anymore. */
export const stepOver = (): AppError => new AppError("NOT_SIGNED_IN", authTexts.stepOver);
