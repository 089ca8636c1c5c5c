import { type ActivityFact, pluginNameOf } from "#api/core/activity.ts";
import { withoutWholeTokens } from "#api/core/actor.ts";
import { tokenLimits } from "#contract/api-tokens.ts";
import { limits } from "#contract/limits.ts";
import type { User } from "#contract/users.ts";
import type { Activity } from "./contract.ts";
import { textWithoutSecrets, withoutSecrets } from "./without-secrets.ts";

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
export const plainText = (text: string, most: number): string => {
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

const tooLarge = JSON.stringify({ before: "too large to be kept", after: "too large to be kept" });
