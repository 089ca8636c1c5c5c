import { timingSafeEqual } from "node:crypto";
import { AppError } from "#api/core/app-error.ts";
import type { Context, IdentityProvider } from "#api/core/context.ts";
import type { AppEvent } from "#api/core/events.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { limits } from "#contract/limits.ts";
import { safePathOrDashboard } from "#contract/page-paths.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import {
  browserOf,
  challengeOf,
  changedMind,
  type LinkTarget,
  logProviderFailure,
  type OauthState,
  openState,
  refusal,
  sealState,
} from "./oauth-state.ts";
import { identityOf, linkIdentityTo, type Newcomer, signInByIdentity } from "./provider-identity.ts";
import { takeState } from "./provider-store.ts";
import { type Browser, completeSignIn, noteSignIn, type SignedIn } from "./sign-in.ts";

/** `linkTo` is given to link instead of to sign in; `browserSecret` is the oauth cookie's token, `null` when the browser has none. */
type ProviderStart = {
  provider: ProviderName;
  linkTo?: LinkTarget;
  returnTo?: string | null | undefined;
  browserSecret: string | null;
};

/**
 * Where to send a browser that wants to sign in or link; the caller sets the oauth cookie from `browserSecret`. Nothing
 * is stored. Throws `PROVIDER_NOT_CONFIGURED` and `PROVIDER_UNAVAILABLE`.
 */
export const startProviderSignIn = async (
  ctx: Context,
  input: ProviderStart,
): Promise<{ url: string; browserSecret: string }> => {
  const provider = ctx.providers[input.provider];
  if (provider === null) throw new AppError("PROVIDER_NOT_CONFIGURED");
  const browserSecret = input.browserSecret ?? newToken(limits.sessionTokenBytes);
  const state = sealState(ctx, {
    provider: input.provider,
    browser: browserOf(browserSecret),
    linkTo: input.linkTo ?? null,
    returnTo: safePathOrDashboard(input.returnTo),
    expiresAtMs: ctx.clock.now().getTime() + limits.oauthStateMs,
  });
  return { url: await provider.authorizationUrl(challengeOf(browserSecret, state)), browserSecret };
};

/** A browser whose reader pressed a provider's button on the sign-in page. */
type ProviderWish = {
  provider: ProviderName;
  returnTo: string | undefined;
  browserSecret: string | null;
};

/**
 * Where to send a browser that wants to sign in, and the oauth cookie's token; `null` leaves the cookie alone. Never
 * throws: when the provider is not configured or away that is logged, and the way leads back to the sign-in page.
 */
export const sendToProvider = async (
  ctx: Context,
  wish: ProviderWish,
): Promise<{ location: string; browserSecret: string | null }> => {
  try {
    const { url, browserSecret } = await startProviderSignIn(ctx, wish);
    return { location: url, browserSecret };
  } catch (error) {
    logProviderFailure(ctx, wish.provider, error);
    return { location: "/login?error=auth_failed", browserSecret: null };
  }
};

/** What a browser brings back from a provider; `browserSecret` is the oauth cookie's token. */
type ProviderReturn = {
  provider: ProviderName;
  state?: string | undefined;
  code?: string | undefined;
  error?: string | undefined;
  browserSecret: string | null;
  browser: Browser;
};

/** Where the browser goes next, and the tokens of the cookies to set; `null` sets none. */
type ProviderOutcome = { location: string; token: string | null; deviceToken: string | null };

/**
 * Ends a way through a provider: signs in, or links to the user who asked for it. Never throws: whatever went wrong is
 * logged, and the browser goes back to where it can be tried again.
 */
export const finishProviderSignIn = async (ctx: Context, input: ProviderReturn): Promise<ProviderOutcome> => {
  const state = input.state === undefined ? null : openState(ctx, input.provider, input.state);
  try {
    if (state === null || input.state === undefined) throw refusal("the state was not issued by this server");
    return await finish(ctx, { ...input, state: input.state }, state);
  } catch (error) {
    if (isHalfway(error)) return onward(factorPath(state));
    logProviderFailure(ctx, input.provider, error);
    return onward(failurePath(ctx, state));
  }
};

const isHalfway = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "SECOND_FACTOR_REQUIRED";

const factorPath = (state: OauthState | null): string => {
  const query = new URLSearchParams({ step: "factor", from: safePathOrDashboard(state?.returnTo) });
  return `/login?${query}`;
};

// Whoever is signed in sees no sign-in page.
const failurePath = (ctx: Context, state: OauthState | null): string =>
  state !== null && state.linkTo !== null && ctx.actor.kind === "user"
    ? "/dashboard?error=link_failed"
    : "/login?error=auth_failed";

const onward = (location: string): ProviderOutcome => ({ location, token: null, deviceToken: null });

const finish = async (ctx: Context, input: ProviderReturn & { state: string }, state: OauthState) => {
  const provider = ctx.providers[input.provider];
  if (provider === null) throw refusal("the provider is not configured");
  const browserSecret = checkState(ctx, input.browserSecret, state);
  if (!(await takeState(ctx.db, hashToken(input.state), new Date(state.expiresAtMs)))) {
    throw refusal("the state was already used");
  }
  const newcomer = await meet(provider, input, browserSecret);
  if (state.linkTo !== null) {
    await linkIdentityTo(ctx, state.linkTo, identityOf(newcomer));
    return onward(state.returnTo);
  }
  const { user, token, deviceToken } = await signIn(ctx, newcomer, input.browser);
  noteSignIn(ctx, { user, way: providerLabels[input.provider] });
  return { location: state.returnTo, token, deviceToken };
};

/** The browser's secret, when the state is of this browser and hour. Throws a refusal otherwise. */
const checkState = (ctx: Context, browserSecret: string | null, state: OauthState): string => {
  if (state.expiresAtMs <= ctx.clock.now().getTime()) throw refusal("the state has expired");
  if (browserSecret === null) throw refusal("the browser has no cookie for this sign-in");
  const isOfBrowser = timingSafeEqual(Buffer.from(browserOf(browserSecret)), Buffer.from(state.browser));
  if (!isOfBrowser) throw refusal("the state belongs to another browser");
  if (state.linkTo !== null && !isOwnSession(ctx, state.linkTo))
    throw refusal("the session that asked for linking is no longer the browser's");
  return browserSecret;
};

const isOwnSession = ({ actor }: Context, { userId, sessionHash }: LinkTarget): boolean =>
  actor.kind === "user" && actor.user.id === userId && actor.sessionHash === sessionHash;

const meet = async (
  provider: IdentityProvider,
  { provider: name, code, error, state }: ProviderReturn & { state: string },
  browserSecret: string,
): Promise<Newcomer> => {
  if (error !== undefined) throw refusal(error === "access_denied" ? changedMind : "the provider refused");
  if (code === undefined) throw refusal("the provider returned no code");
  const profile = await provider.identify(code, challengeOf(browserSecret, state));
  return { provider: name, issuer: provider.issuer, profile };
};

// Those who meet halfway see each other's account the second time.
const mostTries = 3;

const signIn = async (ctx: Context, newcomer: Newcomer, browser: Browser, tries = 1): Promise<SignedIn> => {
  const events: AppEvent[] = [];
  const born: string[] = [];
  const arriving = {
    ...newcomer,
    later: (event: AppEvent) => void events.push(event),
    made: (userId: string) => void born.push(userId),
  };
  try {
    const signedIn = await completeSignIn(ctx, { browser, way: newcomer.provider }, (tx) =>
      signInByIdentity(ctx, tx, arriving),
    );
    for (const event of events) ctx.events.publish(event);
    for (const userId of born) ctx.happenings.tell({ name: "user.registered", userId });
    if (events.length > 0) ctx.mail.wake();
    return signedIn;
  } catch (error) {
    const hasMet = error instanceof AppError && error.kind === "CONFLICT";
    if (!hasMet || tries >= mostTries) throw error;
    return signIn(ctx, newcomer, browser, tries + 1);
  }
};
