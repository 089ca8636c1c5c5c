import { randomBytes } from "node:crypto";
import { allows, type TokenScope, tokenTexts } from "#contract/api-tokens.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { securityPage } from "#contract/page-paths.ts";
import type { FactorProof, ProofWanted } from "#contract/proof.ts";
import { providerLabels, providerNames, type Role, type User } from "#contract/users.ts";
import { AppError } from "./app-error.ts";
import type { Actor, Context } from "./context.ts";

/** Whether the actor has the rights of an admin over the network: by a session, or by a token that an admin created. */
export const isAdmin = (actor: Actor): boolean =>
  actor.kind === "token" || (actor.kind === "user" && actor.user.role === "admin");

/** How who acts is named in what is stored. */
export const nameOfActor = (actor: Actor): string => {
  if (actor.kind === "user") return actor.user.email;
  if (actor.kind !== "token") return actor.kind;
  return `${actor.owner?.email ?? "operator"} (token ${actor.token.name})`;
};

/** One text for each one who acts, to count by. */
export const idOfActor = (actor: Actor): string => {
  if (actor.kind === "user") return actor.user.id;
  return actor.kind === "token" ? actor.token.id : actor.kind;
};

/** The user on whose behalf the actor acts: for a token its owner. `null` without one. */
export const personBehind = (actor: Actor): User | null => {
  if (actor.kind === "user") return actor.user;
  return actor.kind === "token" ? actor.owner : null;
};

/** The signed-in user. Throws `FORBIDDEN` for an API token, and `NOT_SIGNED_IN` for anyone else. */
export const requireUser = (ctx: Pick<Context, "actor">): User => requireSession(ctx).user;

/**
 * The signed-in user behind the call, with the session that it came with. Throws `FORBIDDEN` for an API token, and
 * `NOT_SIGNED_IN` for anyone else.
 */
export const requireSession = (ctx: Pick<Context, "actor">): Extract<Actor, { kind: "user" }> => {
  if (ctx.actor.kind === "token") throw new AppError("FORBIDDEN", tokenTexts.notForTokens);
  if (ctx.actor.kind !== "user") throw new AppError("NOT_SIGNED_IN");
  return ctx.actor;
};

/**
 * Refuses API tokens, whatever they are allowed, and sessions of users who have a second factor and did not give it within the
 * last minutes. Throws `SESSION_REQUIRED` or `REAUTHENTICATION_REQUIRED`.
 */
export const requirePerson = (ctx: Pick<Context, "actor" | "clock">): void => {
  if (ctx.actor.kind === "token") throw new AppError("SESSION_REQUIRED");
  requireFactor(ctx.actor, ctx.clock.now());
};

/**
 * Lets users with a second factor, here or at a provider, pass only if they gave it within the minutes before `now`. Throws
 * `REAUTHENTICATION_REQUIRED`; everyone else passes.
 */
export const requireFactor = (actor: Actor, now: Date): void => {
  if (actor.kind !== "user") return;
  const { secondFactor, factorElsewhere } = actor;
  const provider = secondFactor?.provider ?? factorElsewhere;
  if ((secondFactor ?? provider) === undefined || isFresh(now, secondFactor?.provenAt ?? null)) return;
  const ways = factorProofsOf(actor);
  const data: ProofWanted = { wanted: "factor", ways: provider === undefined ? [...ways] : [provider] };
  throw new AppError("REAUTHENTICATION_REQUIRED", factorWantedText(ways), { data });
};

/** The second factors of the actor. */
export const factorProofsOf = (actor: Actor): readonly FactorProof[] =>
  actor.kind === "user" ? (actor.secondFactor?.ways ?? []) : [];

/** What users are told who have to give one of these second factors; without one, theirs at a provider. */
export const factorWantedText = (ways: readonly FactorProof[]): string => {
  if (ways.length === 0) return accountTexts.providerWanted;
  return ways.includes("code") ? accountTexts.codeWanted : accountTexts.passkeyWanted;
};

const isFresh = (now: Date, at: Date | null): boolean =>
  at !== null && now.getTime() - at.getTime() < limits.freshSessionMs;

/**
 * Lets admins, their API tokens and the operator pass; whether the token's scopes reach is decided by the route. Throws
 * `NOT_SIGNED_IN` or `FORBIDDEN`.
 */
export const requireAdmin = (ctx: Pick<Context, "actor">): void => {
  if (ctx.actor.kind === "operator" || ctx.actor.kind === "token") return;
  if (requireUser(ctx).role !== "admin") throw new AppError("FORBIDDEN");
};

/** Lets the operator alone pass. Throws `NOT_SIGNED_IN` or `FORBIDDEN`. */
export const requireOperator = (ctx: Pick<Context, "actor">): void => {
  if (ctx.actor.kind === "operator") return;
  requireUser(ctx);
  throw new AppError("FORBIDDEN");
};

/**
 * Refuses API tokens without the scope for everything: granting or removing an admin's rights would
 * bypass every other limit. Throws `FORBIDDEN`; all other actors pass.
 */
export const requireFullScope = (ctx: Pick<Context, "actor">): void => requireScope(ctx, "*");

/** Refuses API tokens without a scope that only some requests of a route need. Throws `FORBIDDEN`; all other actors pass. */
export const requireScope = ({ actor }: Pick<Context, "actor">, scope: TokenScope): void => {
  if (actor.kind === "token" && !allows(actor.token.scopes, scope))
    throw new AppError("FORBIDDEN", tokenTexts.scopeMissing(scope));
};

/** The page on which users see and change how they sign in. */
export const accountLink = (ctx: Context): string => `${ctx.appUrl}${securityPage}`;

/** What a provider is called, also one that this server doesn't offer. */
export const providerLabel = ({ providers }: Pick<Context, "providers">, id: string): string => {
  const known = providerNames.find((name) => name === id);
  return providers.get(id)?.label ?? (known === undefined ? id : providerLabels[known]);
};

/** The ids of the providers through which an account can be signed in to, where this server offers them. */
export const linkedProviders = ({ subjects }: Pick<UserFields, "subjects">): string[] =>
  Object.keys(subjects).sort();

/** Who the user is at a provider; `null` where it is not linked. */
export const subjectAt = ({ subjects }: Pick<UserFields, "subjects">, provider: string): string | null =>
  Object.hasOwn(subjects, provider) ? (subjects[provider] ?? null) : null;

/** What the table of users holds of a person, as far as the person may be shown. */
type UserFields = {
  id: string;
  name: string;
  email: string;
  role: Role;
  subjects: Readonly<Record<string, string>>;
  emailVerifiedAt: Date | null;
  createdAt: Date;
};

/** The row as the API shows it. */
export const toUser = (row: UserFields): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  googleId: subjectAt(row, "google"),
  githubId: subjectAt(row, "github"),
  emailVerified: row.emailVerifiedAt !== null,
  createdAt: row.createdAt.toISOString(),
});

/**
 * Whether the actor has signed in or confirmed their identity within the minutes before `now`. The operator and
 * API tokens don't need to.
 */
export const isProven = (actor: Actor, now: Date): boolean =>
  actor.kind !== "user" || isFresh(now, actor.provenAt) || isFresh(now, actor.secondFactor?.provenAt ?? null);

/** The prefix of every API token, so that readers and secret scanners recognize one. */
export const apiTokenPrefix = "atr_";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const secretBytes = 32;

// 62^43 > 2^256, and 62^6 > 2^32.
const secretLength = 43;

const checkLength = 6;

const shape = new RegExp(`^${apiTokenPrefix}[0-9A-Za-z]{${secretLength + checkLength}}$`);

/**
 * A new API token: the prefix, 32 random bytes in base 62, and the CRC-32 of both in base 62, which distinguishes a token
 * from similar text without a lookup.
 */
export const newApiToken = (): string => {
  const secret = BigInt(`0x${randomBytes(secretBytes).toString("hex")}`);
  return withCheck(apiTokenPrefix + inBase62(secret, secretLength));
};

/** Whether a text has the form of an API token and its checksum is right. */
export const isApiToken = (text: string): boolean =>
  shape.test(text) && withCheck(text.slice(0, -checkLength)) === text;

/** API tokens in a text, and what is left of one that was cut. */
export const apiTokenShaped = /atr_[0-9A-Za-z]{10,}/g;

/**
 * The text without complete API tokens, recognized by their checksum: for text that users choose, such as an address,
 * where similar text has to stay.
 */
export const withoutWholeTokens = (text: string): string =>
  text.replace(wholeToken, (found) => (isApiToken(found) ? "[removed]" : found));

const wholeToken = new RegExp(`${apiTokenPrefix}[0-9A-Za-z]{${secretLength + checkLength}}`, "g");

const withCheck = (text: string): string => text + inBase62(BigInt(Bun.hash.crc32(text)), checkLength);

const inBase62 = (value: bigint, length: number): string => {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
};
