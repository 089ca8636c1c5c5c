import type { Paranoia } from "../../backend/engine/engine-types.ts";

/** Methods that rules can be about, by what they are called. */
export const ruleMethods: Readonly<Record<string, string>> = {
  "*": "Any",
  ...{ GET: "GET", POST: "POST", PUT: "PUT", PATCH: "PATCH", DELETE: "DELETE" },
};

/** Whether a text can be the path of a rule: from the root, without spaces and query. */
export const isRulePath = (text: string): boolean => /^\/[^\s?#]{0,299}$/.test(text.trim());

/**
 * Whether a text could be an address or a range of them: enough to catch a slip of the fingers. What it really is, the
 * server decides.
 */
export const looksLikeAddress = (text: string): boolean => {
  const [address = "", prefix, ...more] = text.trim().split("/");
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false;
  const isV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/.test(address);
  if (isV4) return address.split(".").every((part) => Number(part) < 256) && Number(prefix ?? 0) <= 32;
  return address.includes(":") && URL.canParse(`http://[${address}]/`) && Number(prefix ?? 0) <= 128;
};

/** The names in a text in which they are separated by commas or white space; each once. */
export const readFieldNames = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((name) => name !== "")),
];

/** A complaint about a text that is no whole number within bounds; `null` for one that is. */
export const wholeNumberComplaint = (
  text: string,
  [least, most]: readonly [number, number],
): string | null => {
  const number = Number(text);
  const isFine = /^\d+$/.test(text.trim()) && number >= least && number <= most;
  const { format } = new Intl.NumberFormat();
  return isFine ? null : `Please give a whole number from ${format(least)} to ${format(most)}`;
};

/** The units in which a window is given, largest first, in milliseconds. */
const unitMs = { hour: 3_600_000, minute: 60_000, second: 1_000 } as const;
export type WindowUnit = keyof typeof unitMs;
const windowUnits = ["hour", "minute", "second"] as const satisfies WindowUnit[];

/** Bounds of a window, in milliseconds. */
const windowBounds = [1_000, 86_400_000] as const;

/** A window in the largest unit in which it is whole. */
export const readWindow = (windowMs: number): { amount: number; unit: WindowUnit } => {
  const unit = windowUnits.find((candidate) => windowMs % unitMs[candidate] === 0) ?? "second";
  return { amount: Math.round(windowMs / unitMs[unit]), unit };
};

/** Milliseconds of a window as it was typed; `null` for what is no whole number or out of bounds. */
export const toWindowMs = (amount: string, unit: string): number | null => {
  const known = windowUnits.find((candidate) => candidate === unit);
  if (known === undefined || !/^\d{1,6}$/.test(amount.trim())) return null;
  const ms = Number(amount) * unitMs[known];
  return ms >= windowBounds[0] && ms <= windowBounds[1] ? ms : null;
};

/** A window in words of the reader's language, such as "15 minutes". */
export const windowText = (windowMs: number, locale?: string): string => {
  const { amount, unit } = readWindow(windowMs);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(amount);
};

/** A paranoia level by its number; `null` for none. */
export const levelOf = (text: string | null): Paranoia | null =>
  ([1, 2, 3, 4] as const).find((level) => String(level) === text) ?? null;
