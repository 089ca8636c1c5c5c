import { type ActivityFact, pluginNameOf } from "#api/core/activity.ts";
import { withoutApiTokens, withoutWholeTokens } from "#api/core/api-token.ts";
import type { SecretBox } from "#api/core/context.ts";
import { activitySeverities, activityStatuses, activityTypes, actorKinds } from "#contract/activity.ts";
import { tokenLimits } from "#contract/api-tokens.ts";
import { limits } from "#contract/limits.ts";
import type { User } from "#contract/users.ts";
import type { Activity } from "./contract.ts";

/** An activity as it will be stored, before it has its number and its time in the log. */
export type ActivityDraft = Omit<Activity, "id" | "timestamp" | "duration" | "changes"> & {
  /** When it happened: ISO 8601 in UTC. */
  at: string;
  durationMs: number | null;
  /** JSON of `{before, after}`, or `null`. */
  changes: string | null;
};

/** What is stored of a fact: every text on one line, bounded, and without secrets. */
export const draftOf = ({ entry, source, at }: ActivityFact, occurrences = 1): ActivityDraft => {
  const { actor } = source;
  const user = personOf(actor);
  const email = user?.email ?? entry.userEmail ?? null;
  return {
    at: at.toISOString(),
    pluginName: plainText(pluginNameOf(entry), limits.nameLength),
    type: entry.type,
    status: entry.status ?? "success",
    severity: entry.severity ?? "low",
    actorKind: actor.kind,
    action: plainText(entry.action, limits.activityActionLength),
    description: described(entry.description ?? "", actor),
    userId: user?.id ?? null,
    // What somebody typed where an address belongs may be anything, a token too.
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

/** The person in whose name something was done; a token's is its owner. */
const personOf = (actor: ActivityFact["source"]["actor"]): User | null => {
  if ("user" in actor) return actor.user;
  return "owner" in actor ? actor.owner : null;
};

/** What the log says of it; of what a token did, by which one. */
const described = (description: string, actor: ActivityFact["source"]["actor"]): string => {
  const bound = limits.activityTextLength;
  if (!("token" in actor)) return textWithoutSecrets(plainText(description, bound));
  // Quotation marks within a name are marked: it cannot pose as another token's.
  const by = `by the token ${JSON.stringify(withoutWholeTokens(plainText(actor.token.name, tokenLimits.nameLength)))}`;
  const text = textWithoutSecrets(plainText(description, bound - by.length - 3));
  return text === "" ? by : `${text} (${by})`;
};

// Control characters, and those that turn or hide text: a log line shows what it holds.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]+/gu;

/** The text on one line, without characters that cannot be seen, at most `most` characters long. */
const plainText = (text: string, most: number): string => {
  // Cut before it is cleaned as well: what a stranger sends may be long.
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

// NUL is the one character that JSON may hold and PostgreSQL may not. A backslash that is itself escaped begins no escape.
const escapedNul = /\\u0000(?<=(?<!\\)(?:\\\\)*\\u0000)/g;

const tooLarge = JSON.stringify({ before: "too large to be stored", after: "too large to be stored" });

/**
 * The draft that was left in the inbox, sealed. What cannot be read, because something else wrote it there, becomes an
 * activity that shows it: it must neither hold up the rest nor vanish.
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

// Neither NUL nor half a character can be stored.
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
// To the last @ before the path: a password may hold one.
const passwordInUrl = /(:\/\/[^\s/:@]*):[^\s/]+@/g;
const namedSecret = /\b(bearer\s+|(?:sid|token|key|secret|password)\s*[=:]\s*)[^\s,;&"']+/gi;
// What our own tokens look like: 32 random bytes in base64url. They never lack capitals or small letters (1 in 10^9), but
// 1 in 1,500 has no digit; other long words of both are only taken for tokens when they have one.
const ownToken = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g;
const tokenShaped = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{40,}(?![\w-])/g;

const deepest = 6;
const mostEntries = 100;
const longestText = 1_000;

/** The text without passwords in addresses and without anything that looks like a token. */
export const textWithoutSecrets = (text: string): string =>
  // API tokens last: one of our other tokens may hold their prefix, and would be cut in two.
  withoutApiTokens(
    text
      .replace(passwordInUrl, `$1:${removed}@`)
      .replace(namedSecret, `$1${removed}`)
      .replace(ownToken, removed)
      .replace(tokenShaped, removed),
  );

/**
 * A copy of a JSON value without secrets: fields whose names speak of one say `[removed]` (but for yes, no and nothing,
 * which tell only whether there is one), and texts lose what looks like one. Deep, long and large values are cut.
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
 * Where the log ends and begins: its newest row, and the newest that retention removed (0 and zeros: none); and what was
 * once found changed behind the application's back.
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

/** The ends of the chain, sealed: whoever can write to the database alone cannot make this for another chain. */
export const sealEnds = (box: SecretBox, ends: ChainEnds): Uint8Array =>
  box.seal(purpose, place, new TextEncoder().encode(textOf(ends)));

/** Whether the seal was made for exactly these ends, under the application's key. A log without a row needs none. */
export const isSealOf = (box: SecretBox, seal: Uint8Array | null, ends: ChainEnds): boolean => {
  if (seal === null) return ends.headId === 0 && ends.anchorId === 0 && ends.fault === null;
  try {
    return new TextDecoder().decode(box.open(purpose, place, seal)) === textOf(ends);
  } catch {
    // Not ours, or damaged: no more is asked here.
    return false;
  }
};

const factPlace = "activity_inbox:fact";

/** A fact as it waits in the inbox. */
export const sealFact = (box: SecretBox, text: string): Uint8Array =>
  box.seal(purpose, factPlace, new TextEncoder().encode(text));

/** The fact that was sealed; `null` when nobody of us sealed it. */
const openFact = (box: SecretBox, fact: Uint8Array): string | null => {
  try {
    return new TextDecoder().decode(box.open(purpose, factPlace, fact));
  } catch {
    return null;
  }
};

const textOf = ({ headId, headHash, anchorId, anchorHash, fault }: ChainEnds): string =>
  JSON.stringify([headId, headHash.toHex(), anchorId, anchorHash.toHex(), fault]);
