/** The content of a license. Times are ISO instants in UTC; `expiresAt`: `null` for one that does not expire. */
export type Licence = {
  id: string;
  owner: string;
  plan: string;
  issuedAt: string;
  expiresAt: string | null;
  /** The grace period after `expiresAt`, in whole days. */
  graceDays: number;
};

/** Maximum lengths of the texts, in characters, and of the grace period, in days. */
const licenceLimits = { id: 64, owner: 120, plan: 60, graceDays: 365 } as const;

/**
 * Reads the payload of a key whose signature was verified: JSON in UTF-8. `null` for what is not a license. Unknown fields
 * are ignored, so that later issuers can add some.
 */
export const readPayload = (payload: Uint8Array): Licence | null => {
  const value = parsed(payload);
  if (typeof value !== "object" || value === null) return null;
  const field = (name: string): unknown =>
    Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  const [id, owner, plan] = [field("id"), field("owner"), field("plan")];
  const [issuedAt, expiresAt, graceDays] = [field("issuedAt"), field("expiresAt"), field("graceDays")];
  if (typeof id !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) return null;
  if (!isName(owner, licenceLimits.owner) || !isName(plan, licenceLimits.plan)) return null;
  if (!isInstant(issuedAt) || !isDays(graceDays)) return null;
  if (expiresAt !== null && (!isInstant(expiresAt) || expiresAt <= issuedAt)) return null;
  return { id, owner, plan, issuedAt, expiresAt, graceDays };
};

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
};

/** Whether a value is a text that can be shown on one line unchanged. */
const isName = (value: unknown, lengthMax: number): value is string =>
  typeof value === "string" &&
  value.trim() === value &&
  value !== "" &&
  value.length <= lengthMax &&
  /[\p{L}\p{N}]/u.test(value) &&
  !unseen.test(value);

// Characters that are invisible, break the line, change the text's direction, or are unassigned.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a value is an instant as `Date` writes it, between the years 2000 and 9000: those sort as strings. */
const isInstant = (value: unknown): value is string => {
  if (typeof value !== "string" || !/^[2-8]\d{3}-/.test(value)) return false;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
};

const isDays = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= licenceLimits.graceDays;
