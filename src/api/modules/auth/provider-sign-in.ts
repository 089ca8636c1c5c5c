import { timingSafeEqual } from "node:crypto";
import { noteActivity } from "#api/core/activity.ts";
import { providerLabel } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { placeBudgets } from "#api/core/circumstances.ts";
import type { AttemptBudget, Context, IdentityProvider, ProviderLogout } from "#api/core/context.ts";
import type { AppEvent } from "#api/core/events.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { endSessionsOfProvider, type IssuedSession, renewSession } from "#api/modules/sessions/index.ts";
import { accountTexts, tooManyTokens } from "#contract/auth-texts.ts";
import type { ErrorKind } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { safePathOrDashboard, securityPage } from "#contract/page-paths.ts";
import { providerKind } from "#contract/users.ts";
import {
  type Asker,
  browserOf,
  challengeOf,
  changedMind,
  logProviderFailure,
  type OauthState,
  onlyByOwner,
  openState,
  refusal,
  sealState,
} from "./oauth-state.ts";
import {
  identityOf,
  linkIdentityTo,
  type Newcomer,
  signInByIdentity,
  withdrawRole,
} from "./provider-identity.ts";
import { endedKey, findIdentity, holdAccount, rememberEnd, takeState } from "./provider-store.ts";
import { type Browser, completeSignIn, noteSignIn, type SignedIn } from "./sign-in.ts";

/**
 * `linkTo` is given to link instead of to sign in, `confirms` to confirm a session; `browserSecret` is the oauth cookie's token, `null`
 * when the browser has none.
 */
type ProviderStart = {
  provider: string;
  linkTo?: Asker;
  confirms?: Asker;
  returnTo?: string | null | undefined;
  browserSecret: string | null;
};

/**
 * Where to send a browser that wants to sign in or link; the caller sets the oauth cookie from `browserSecret`. Nothing
 * is stored. Throws `PROVIDER_NOT_CONFIGURED`, `PROVIDER_UNAVAILABLE`, and `CONFLICT` for a provider that can't confirm.
 */
export const startProviderSignIn = async (
  ctx: Context,
  input: ProviderStart,
): Promise<{ url: string; browserSecret: string }> => {
  const provider = ctx.providers.get(input.provider);
  if (provider === undefined) throw new AppError("PROVIDER_NOT_CONFIGURED");
  const browserSecret = input.browserSecret ?? newToken(limits.sessionTokenBytes);
  const state = sealState(ctx, {
    provider: input.provider,
    issuer: provider.issuer,
    browser: browserOf(browserSecret),
    linkTo: input.linkTo ?? null,
    confirms: input.confirms ?? null,
    returnTo: safePathOrDashboard(input.returnTo),
    expiresAtMs: ctx.clock.now().getTime() + limits.oauthStateMs,
  });
  const challenge = challengeOf(browserSecret, state);
  const url = input.confirms ? provider.confirmationUrl?.(challenge) : provider.authorizationUrl(challenge);
  if (url === undefined) throw new AppError("CONFLICT", accountTexts.providerCannotConfirm(provider.label));
  return { url: await url, browserSecret };
};

/** A browser whose reader pressed a provider's button on the sign-in page. */
type ProviderWish = {
  provider: string;
  returnTo: string | undefined;
  browserSecret: string | null;
};

/**
 * Where to send a browser that wants to sign in, and the oauth cookie's token; `null` leaves the cookie alone. Never
 * throws: when the provider is not configured or away that is logged, and the way leads back to the sign-in page, which says
 * of one that was switched off or removed that it's gone.
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
    const isGone = isKind(error, "PROVIDER_NOT_CONFIGURED") && providerKind(wish.provider) === "oidc";
    return { location: isGone ? gonePath : "/login?error=auth_failed", browserSecret: null };
  }
};

/** What a browser brings back from a provider; `browserSecret` is the oauth cookie's token. */
type ProviderReturn = {
  provider: string;
  state?: string | undefined;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  browserSecret: string | null;
  browser: Browser;
};

/** Where the browser goes next, and what the cookies are to hold; `null` sets none. */
type ProviderOutcome = { location: string; session: IssuedSession | null; deviceToken: string | null };

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
    if (isKind(error, "SECOND_FACTOR_REQUIRED")) return onward(factorPath(state));
    logProviderFailure(ctx, input.provider, error);
    return onward(
      isKind(error, "REGISTRATION_CLOSED") ? registrationClosedPath : failurePath(ctx, state, error),
    );
  }
};

const gonePath = "/login?error=provider_gone";
const registrationClosedPath = "/login?error=registration_closed";

const goneReason = "the provider is not configured";

const isKind = (error: unknown, kind: ErrorKind): boolean => error instanceof AppError && error.kind === kind;

const factorPath = (state: OauthState | null): string => {
  const query = new URLSearchParams({ step: "factor", from: safePathOrDashboard(state?.returnTo) });
  return `/login?${query}`;
};

const failurePath = (ctx: Context, state: OauthState | null, error: unknown): string => {
  // Whoever is signed in sees no sign-in page.
  if (state !== null && ctx.actor.kind === "user") {
    if (state.confirms) return `${securityPage}?error=confirm_failed`;
    if (state.linkTo !== null) return `${securityPage}?error=link_failed`;
  }
  if (error instanceof AppError && error.cause === goneReason) return gonePath;
  // The provider has just shown whose address it is: they may know that it has an account.
  const isForOwner = error instanceof AppError && error.cause === onlyByOwner;
  return `/login?error=${isForOwner ? "link_first" : "auth_failed"}`;
};

const onward = (location: string): ProviderOutcome => ({ location, session: null, deviceToken: null });

const finish = async (ctx: Context, input: ProviderReturn & { state: string }, state: OauthState) => {
  const provider = ctx.providers.get(input.provider);
  if (provider === undefined) throw refusal(goneReason);
  // A code must not be sent to anyone but the issuer that it's from.
  if (state.issuer !== undefined && state.issuer !== provider.issuer)
    throw refusal("the provider has another issuer by now");
  const browserSecret = checkState(ctx, input.browserSecret, state);
  if (!(await takeState(ctx.db, hashToken(input.state), new Date(state.expiresAtMs)))) {
    throw refusal("the state was already used");
  }
  const newcomer = await meet(provider, input, browserSecret);
  if (state.confirms) {
    const session = await confirmByIdentity(ctx, state.confirms, newcomer);
    return { ...onward(state.returnTo), session };
  }
  if (state.linkTo !== null) {
    await linkIdentityTo(ctx, state.linkTo, identityOf(newcomer));
    return onward(state.returnTo);
  }
  await withdrawRole(ctx, newcomer);
  const { user, deviceToken, ...session } = await signIn(ctx, newcomer, input.browser);
  noteSignIn(ctx, { user, way: providerLabel(ctx, input.provider) });
  return { location: state.returnTo, session, deviceToken };
};

/** The browser's secret, when the state is of this browser and hour. Throws a refusal otherwise. */
const checkState = (ctx: Context, browserSecret: string | null, state: OauthState): string => {
  if (state.expiresAtMs <= ctx.clock.now().getTime()) throw refusal("the state has expired");
  if (browserSecret === null) throw refusal("the browser has no cookie for this sign-in");
  const isOfBrowser = timingSafeEqual(Buffer.from(browserOf(browserSecret)), Buffer.from(state.browser));
  if (!isOfBrowser) throw refusal("the state belongs to another browser");
  const asker = state.confirms ?? state.linkTo;
  if (asker !== null && !isOwnSession(ctx, asker))
    throw refusal("the session that asked for it is no longer the browser's");
  return browserSecret;
};

const isOwnSession = ({ actor }: Context, { userId, sessionHash }: Asker): boolean =>
  actor.kind === "user" && actor.user.id === userId && actor.sessionHash === sessionHash;

const meet = async (
  provider: IdentityProvider,
  { provider: name, code, iss, error, state }: ProviderReturn & { state: string },
  browserSecret: string,
): Promise<Newcomer> => {
  if (error !== undefined) throw refusal(error === "access_denied" ? changedMind : "the provider refused");
  if (code === undefined) throw refusal("the provider returned no code");
  const profile = await provider.identify({ code, issuer: iss ?? null }, challengeOf(browserSecret, state));
  const { issuer, rules } = provider;
  return { provider: name, issuer, rules, profile };
};

const wayOf = (ctx: Context, { provider, rules, profile }: Newcomer, browser: Browser) => {
  const via = { provider, sid: profile.sessionId ?? null };
  // Whoever the provider still knew from before has shown nothing now.
  const provenAt = profile.authenticatedAt ?? ctx.clock.now();
  return rules.isFactorTrusted && profile.hasFactor
    ? { browser, via, provenAt, factorAt: provenAt }
    : { browser, via, provenAt, way: provider };
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
    const signedIn = await completeSignIn(ctx, wayOf(ctx, newcomer, browser), (tx) =>
      signInByIdentity(ctx, tx, arriving),
    );
    for (const event of events) ctx.events.publish(event);
    for (const userId of born) ctx.happenings.tell({ name: "user.registered", userId });
    if (events.length > 0) ctx.mail.wake();
    return signedIn;
  } catch (error) {
    if (!isKind(error, "CONFLICT") || tries >= mostTries) throw error;
    return signIn(ctx, newcomer, browser, tries + 1);
  }
};

/**
 * Confirms a session by its user's identity at a provider: it goes on under another token, proven since the user signed in there.
 * Throws a refusal for another identity, for a session that has ended, and where the provider doesn't say that they signed in within the
 * last minutes.
 */
const confirmByIdentity = async (
  ctx: Context,
  { userId }: Asker,
  newcomer: Newcomer,
): Promise<IssuedSession> => {
  const { rules, profile, provider } = newcomer;
  const provenAt = profile.authenticatedAt ?? null;
  if (provenAt === null) throw refusal("the provider doesn't say when the user signed in (auth_time)");
  if (ctx.clock.now().getTime() - provenAt.getTime() >= limits.freshSessionMs)
    throw refusal("the user signed in at the provider too long ago");
  const { issuer, subject } = identityOf(newcomer);
  const hasFactor = rules.isFactorTrusted && profile.hasFactor === true;
  // The factor is the provider's, so from now on the session is one of it, and ends with it.
  const via = hasFactor ? { provider, sid: profile.sessionId ?? null } : undefined;
  const issued = await ctx.db.transaction(async (tx) => {
    const user = await holdAccount(tx, userId);
    const linked = await findIdentity(tx, userId, provider);
    if (user === null || linked?.issuer !== issuer || linked.subject !== subject)
      throw refusal("the identity is not the one that is linked to the account");
    return renewSession(ctx, tx, { hasFactor, provenAt, via });
  });
  if (issued === null) throw refusal("the session has ended");
  ctx.events.publish({ type: "sessions-ended", userId });
  return issued;
};

type LogoutRequest = { provider: string; token: string };

/**
 * Ends the sessions that a provider says are over: the one that its own session began, or all that a user began there. Each token
 * counts once. Source: OpenID Connect Back-Channel Logout 1.0. Throws `NOT_FOUND` for a provider that sends none, `TOKEN_INVALID`
 * for what is no such token of it, `RATE_LIMITED` after too many of those, and `PROVIDER_UNAVAILABLE` while its keys can't be read.
 */
export const endProviderSessions = async (ctx: Context, input: LogoutRequest): Promise<void> => {
  const provider = ctx.providers.get(input.provider);
  const { readLogout } = provider ?? {};
  if (provider === undefined || readLogout === undefined) throw new AppError("NOT_FOUND");
  const logout = await readLogout(input.token).catch(async (error) => {
    // Only what is no token of the provider: its own are read however many strangers send from the same place.
    if (error instanceof AppError && error.kind === "TOKEN_INVALID")
      await ctx.attempts.spend(placeBudgets(ctx.ip, badTokens(input.provider)));
    throw error;
  });
  const userIds = await endSessions(ctx, { provider: input.provider, issuer: provider.issuer, ...logout });
  for (const userId of userIds) ctx.events.publish({ type: "sessions-ended", userId });
  noteActivity(ctx, {
    type: "api_call",
    action: `Signed out by ${providerLabel(ctx, input.provider)}`,
    description:
      userIds.length === 0 ? "No session was open" : `Users whose sessions ended: ${userIds.length}`,
  });
};

const badTokens = (provider: string): AttemptBudget => ({
  key: `provider-logout:${provider} `,
  most: limits.badLogoutTokens,
  windowMs: limits.badLogoutTokensMs,
  message: tooManyTokens,
});

type Ending = ProviderLogout & { provider: string; issuer: string };

const endSessions = (ctx: Context, { id, expiresAt, ...ending }: Ending): Promise<string[]> =>
  ctx.db.transaction(async (tx) => {
    const once = hashToken(["logout", ending.issuer, id].join(" "));
    if (!(await takeState(tx, once, expiresAt))) throw new AppError("TOKEN_INVALID");
    // A sign-in between its two steps has no session yet.
    await rememberEnd(tx, endedKey(ending), new Date(ctx.clock.now().getTime() + limits.stepMs));
    return endSessionsOfProvider(tx, ending);
  });
