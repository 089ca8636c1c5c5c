import type { ActivityFact } from "#api/core/activity.ts";
import { apiTokenShaped, withoutWholeTokens } from "#api/core/actor.ts";
import type { SecretBox } from "#api/core/context.ts";
import {
  activitySeverities,
  activityStatuses,
  activityTypes,
  actorKinds,
  coreName,
} from "#contract/activity.ts";
import { tokenLimits } from "#contract/api-tokens.ts";
import { limits } from "#contract/limits.ts";
import type { User } from "#contract/users.ts";
import type { Activity } from "./contract.ts";

/** An activity as it will be stored, before it has its number and time in the log. */
export type ActivityDraft = Omit<Activity, "id" | "timestamp" | "duration" | "changes"> & {
  /** When it happened: ISO 8601 in UTC. */
  at: string;
  durationMs: number | null;
  /** JSON of `{before, after}`, or `null`. */
  changes: string | null;
};

/** What is stored of a fact: every text on one line, of limited length, and without secrets. */
export const draftOf = ({ entry, source, at }: ActivityFact, occurrences = 1): ActivityDraft => {
  const { actor } = source;
  const user = personOf(actor);
  const email = user?.email ?? entry.userEmail ?? null;
  return {
    at: at.toISOString(),
    pluginName: plainText(entry.pluginName ?? coreName, limits.nameLength),
    type: entry.type,
    status: entry.status ?? "success",
    severity: entry.severity ?? "low",
    actorKind: actor.kind,
    action: plainText(entry.action, limits.activityActionLength),
    description: described(entry.description ?? "", actor),
    userId: user?.id ?? null,
    // What someone typed as an email address may be anything, even a token.
    userEmail: email === null ? null : withoutWholeTokens(plainText(email, limits.emailLength)),
    durationMs: entry.durationMs === undefined ? null : Math.max(0, Math.round(entry.durationMs)),
    occurrences,
    requestId: source.requestId,
    ip: source.ip === null ? null : plainText(source.ip, limits.ipLength),
    userAgent:
      source.userAgent === null
        ? null
        : textWithoutSecrets(plainText(source.userAgent, limits.userAgentLength)),
    changes: changesOf(entry),
  };
};

/** The user on whose behalf something was done; for a token, its owner. */
const personOf = (actor: ActivityFact["source"]["actor"]): User | null => {
  if ("user" in actor) return actor.user;
  return "owner" in actor ? actor.owner : null;
};

/** The description in the log; for a token, it names the token. */
const described = (description: string, actor: ActivityFact["source"]["actor"]): string => {
  const bound = limits.activityTextLength;
  if (!("token" in actor)) return textWithoutSecrets(plainText(description, bound));
  // Quotation marks in the name are escaped, so that it can't pose as another token's.
  const by = `by the token ${JSON.stringify(withoutWholeTokens(plainText(actor.token.name, tokenLimits.nameLength)))}`;
  const text = textWithoutSecrets(plainText(description, bound - by.length - 3));
  return text === "" ? by : `${text} (${by})`;
};

// Removes control characters and those that reorder or hide text, so that a log line shows what it contains.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]+/gu;

/** The text on one line, without invisible characters, at most `most` characters long. */
const plainText = (text: string, most: number): string => {
  // Cut before it is cleaned, too: a stranger's text may be long.
  const plain = text
    .slice(0, 4 * most)
    .toWellFormed()
    .replace(invisible, " ")
    .trim();
  if (plain.length <= most) return plain;
  const characters = [...plain];
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join("")}…`;
};

const changesOf = ({ before, after }: ActivityFact["entry"]): string | null => {
  if (before === undefined && after === undefined) return null;
  const text = JSON.stringify({
    before: withoutSecrets(before ?? null),
    after: withoutSecrets(after ?? null),
  });
  const storable = text.replace(escapedNul, " ");
  return storable.length <= limits.activityChangesLength ? storable : tooLarge;
};

// NUL is the only character that JSON allows and PostgreSQL doesn't. An escaped backslash begins no escape.
const escapedNul = /\\u0000(?<=(?<!\\)(?:\\\\)*\\u0000)/g;

const tooLarge = JSON.stringify({ before: "too large to be stored", after: "too large to be stored" });

/**
 * The draft from the inbox, if its seal is valid. If it can't be read, because something else wrote it there, it
 * becomes an activity that says so: it must neither block the others nor disappear.
 */
export const readDraft = (fact: Uint8Array, { box, now }: { box: SecretBox; now: Date }): ActivityDraft => {
  const text = openFact(box, fact);
  if (text === null) return unreadable(new TextDecoder().decode(fact), now);
  const read = parsed(text);
  return isDraft(read) ? read : unreadable(text, now);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const unreadable = (fact: string, at: Date): ActivityDraft =>
  draftOf({
    entry: {
      type: "suspicious_activity",
      action: "Found a record that cannot be read",
      description: fact,
      status: "failure",
      severity: "critical",
    },
    source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
    at,
  });

type Check = (value: unknown) => boolean;

// Neither NUL nor half of a surrogate pair can be stored.
const isText: Check = (value) => typeof value === "string" && value.isWellFormed() && !value.includes("\0");
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
const isOneOf =
  (known: readonly string[]): Check =>
  (value) =>
    known.some((each) => each === value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const checks: Record<keyof ActivityDraft, Check> = {
  at: (value) => isText(value) && !Number.isNaN(Date.parse(String(value))),
  pluginName: isText,
  type: isOneOf(activityTypes),
  status: isOneOf(activityStatuses),
  severity: isOneOf(activitySeverities),
  actorKind: isOneOf(actorKinds),
  action: isText,
  description: isText,
  userId: orNull((value) => uuid.test(String(value))),
  userEmail: orNull(isText),
  durationMs: orNull(isCount),
  occurrences: isCount,
  requestId: orNull(isText),
  ip: orNull(isText),
  userAgent: orNull(isText),
  changes: orNull((value) => isText(value) && parsed(String(value)) instanceof Object),
};

const isDraft = (value: unknown): value is ActivityDraft =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(checks).every(([name, check]) => check(Reflect.get(value, name)));

const removed = "[removed]";
const secretName =
  /pass(?:word|phrase)|secret|token|api.?key|private.?key|credential|cookie|authorization|hash$/i;
// Up to the last @ before the path: a password may contain one.
const passwordInUrl = /(:\/\/[^\s/:@]*):[^\s/]+@/g;
const namedSecret = /\b(bearer\s+|(?:sid|token|key|secret|password)\s*[=:]\s*)[^\s,;&"']+/gi;
// The shape of our own tokens: 32 random bytes in base64url. They always have uppercase and lowercase letters (except 1
// in 10^9), but 1 in 1,500 has no digit; other long words of both are only treated as tokens if they have one.
const ownToken = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g;
const tokenShaped = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{40,}(?![\w-])/g;

const deepest = 6;
const mostEntries = 100;
const longestText = 1_000;

/** The text without passwords in URLs and without anything that looks like a token. */
export const textWithoutSecrets = (text: string): string =>
  text
    .replace(passwordInUrl, `$1:${removed}@`)
    .replace(namedSecret, `$1${removed}`)
    .replace(ownToken, removed)
    .replace(tokenShaped, removed)
    // Last: another token may contain their prefix, and would be cut in two.
    .replace(apiTokenShaped, removed);

/**
 * A copy of a JSON value without secrets: fields whose names suggest one become `[removed]` (except booleans and null),
 * and texts lose what looks like one. Deep, long and large values are cut.
 */
export const withoutSecrets = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return textWithoutSecrets(value.slice(0, longestText));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (depth >= deepest) return "…";
  if (Array.isArray(value))
    return value.slice(0, mostEntries).map((entry) => withoutSecrets(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, mostEntries)
      .map(([name, entry]) => [
        name,
        secretName.test(name) && tells(entry) ? removed : withoutSecrets(entry, depth + 1),
      ]),
  );
};

const tells = (value: unknown): boolean =>
  value !== null && value !== undefined && typeof value !== "boolean" && value !== "";

/**
 * The end and the beginning of the log: its newest row, and the newest that retention removed (0 and zeros if none);
 * and what was once found changed outside of Atrium.
 */
export type ChainEnds = {
  headId: number;
  headHash: Uint8Array;
  anchorId: number;
  anchorHash: Uint8Array;
  fault: string | null;
};

const purpose = "activity";
const place = "activity_chain:seal:1";

/** The sealed ends of the chain: with access to only the database, no one can make a valid seal. */
export const sealEnds = (box: SecretBox, ends: ChainEnds): Uint8Array =>
  box.seal(purpose, place, new TextEncoder().encode(textOf(ends)));

/** Whether the seal was made for exactly these ends, with the application's key. An empty log needs none. */
export const isSealOf = (box: SecretBox, seal: Uint8Array | null, ends: ChainEnds): boolean => {
  if (seal === null) return ends.headId === 0 && ends.anchorId === 0 && ends.fault === null;
  try {
    return new TextDecoder().decode(box.open(purpose, place, seal)) === textOf(ends);
  } catch {
    // Not ours, or damaged: the difference doesn't matter here.
    return false;
  }
};

const factPlace = "activity_inbox:fact";

/** A fact as it is stored in the inbox. */
export const sealFact = (box: SecretBox, text: string): Uint8Array =>
  box.seal(purpose, factPlace, new TextEncoder().encode(text));

/** The sealed fact; `null` if Atrium did not seal it. */
const openFact = (box: SecretBox, fact: Uint8Array): string | null => {
  try {
    return new TextDecoder().decode(box.open(purpose, factPlace, fact));
  } catch {
    return null;
  }
};

const textOf = ({ headId, headHash, anchorId, anchorHash, fault }: ChainEnds): string =>
  JSON.stringify([headId, headHash.toHex(), anchorId, anchorHash.toHex(), fault]);
