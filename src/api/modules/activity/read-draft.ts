import type { SecretBox } from "#api/core/context.ts";
import { activitySeverities, activityStatuses, activityTypes, actorKinds } from "#contract/activity.ts";
import { openFact } from "./chain-seal.ts";
import { type ActivityDraft, draftOf } from "./draft.ts";

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
