import { createHmac } from "node:crypto";
import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { providerLabel } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context, ProviderChallenge } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { hashToken } from "#api/core/ids.ts";

/** Who asked for more than a sign-in, and the hash of the session in which they did. */
export type Asker = { userId: string; sessionHash: string };

/**
 * What must be known again when the browser comes back; `browser` is the SHA-256 of its secret, `issuer` the provider's at the start, which
 * older versions left out. `linkTo` is who wants the identity linked, `confirms` who wants to confirm with it that it's them; without
 * either it is a sign-in.
 */
export type OauthState = {
  provider: string;
  issuer?: string;
  browser: string;
  linkTo: Asker | null;
  confirms?: Asker | null;
  returnTo: string;
  expiresAtMs: number;
};

const purpose = "oauth-state";
const placeOf = (provider: string): string => `auth:state:${provider}`;

/** Packs a state so that no one else can read, make or change one; nothing has to be stored until it comes back. */
export const sealState = (ctx: Context, state: OauthState): string =>
  Buffer.from(
    ctx.secrets.seal(purpose, placeOf(state.provider), Buffer.from(JSON.stringify(state))),
  ).toString("base64url");

/** The state of a provider that is packed in the text, or `null` when none is, however the text came about. */
export const openState = (ctx: Context, provider: string, text: string): OauthState | null => {
  const sealed = Buffer.from(text, "base64url");
  // Several texts decode to the same bytes: only one of them may count, or a state would work more than once.
  if (sealed.toString("base64url") !== text) return null;
  try {
    return asState(ctx.secrets.open(purpose, placeOf(provider), sealed));
  } catch {
    // Strangers may send whatever they like; why it does not open is of no interest.
    return null;
  }
};

/** What ties the provider's answer to the browser: both secrets follow from its cookie and this very state. */
export const challengeOf = (browserSecret: string, state: string): ProviderChallenge => {
  const derive = (label: string): string =>
    createHmac("sha256", browserSecret).update(`${label}:${state}`).digest("base64url");
  return { state, codeVerifier: derive("code-verifier"), nonce: derive("nonce") };
};

/** The form in which a browser's secret is in a state. */
export const browserOf = (browserSecret: string): string => hashToken(browserSecret);

// Only `sealState` can have made it: the seal is authenticated.
const asState = (plain: Uint8Array): OauthState =>
  JSON.parse(Buffer.from(plain).toString("utf8")) as OauthState;

/** The reason that is no one's fault. */
export const changedMind = "the user declined";

/** The reason for which the owner of an account is told how to link a provider. */
export const onlyByOwner = "only the owner links providers to an admin's account or one with a second factor";

/** A social sign-in that is refused; `reason` is for the log alone, because everyone else is told the same. */
export const refusal = (reason: string): AppError =>
  new AppError("INVALID_CREDENTIALS", undefined, { cause: reason });

/**
 * Writes down why a social sign-in failed, for the operator and in the activity log. Neither code nor state nor token
 * has a part in a reason.
 */
export const logProviderFailure = (ctx: Context, provider: string, error: unknown): void => {
  const facts = { requestId: ctx.requestId, provider };
  noteActivity(ctx, {
    ...kindOf(error),
    action: `Failed to sign in with ${providerLabel(ctx, provider)}`,
    description: error instanceof AppError ? reasonOf(error) : "unexpected",
    status: "failure",
  });
  if (error instanceof AppError) ctx.log.warn("social sign-in failed", { ...facts, reason: reasonOf(error) });
  else
    ctx.log.error("social sign-in failed", { ...facts, reason: "unexpected", error: describeError(error) });
};

const kindOf = (error: unknown): Pick<ActivityEntry, "type" | "severity"> => {
  if (!(error instanceof AppError) || error.kind === "PROVIDER_UNAVAILABLE")
    return { type: "network_request", severity: "medium" };
  if (error.cause === changedMind || error.kind === "REGISTRATION_CLOSED")
    return { type: "api_call", severity: "low" };
  return { type: "suspicious_activity", severity: "medium" };
};

const reasonOf = ({ kind, cause }: AppError): string => {
  if (typeof cause === "string") return cause;
  return kind === "PROVIDER_UNAVAILABLE" && cause instanceof Error ? cause.message : kind;
};
