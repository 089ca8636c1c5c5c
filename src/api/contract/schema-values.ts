import { emailComplaint, hasUnprintable } from "./account-rules.ts";
import type { FieldError } from "./errors.ts";

/** An object of JSON, with its own keys only: a key such as `__proto__` is one like any other. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is an object of JSON: neither a list nor `null`. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an object has under a key by itself, never what it inherits; `undefined` when there is nothing. */
export const ownValue = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

// Longer keys are cut in paths: a path is shown to people.
const shownKeyLength = 60;

/** The dotted path of something inside `path`; keys that cannot be shown become `?`. */
export const pathTo = (path: string, key: string | number): string => {
  const shown = typeof key === "number" ? String(key) : shownKey(key);
  return path === "" ? shown : `${path}.${shown}`;
};

const shownKey = (key: string): string => {
  if (key === "") return '""';
  const cut = key.length > shownKeyLength ? `${key.slice(0, shownKeyLength - 1)}…` : key;
  return hasUnprintable(cut) ? "?" : cut;
};

/** How many characters a text has: pairs of UTF-16 units count once. */
export const characters = (text: string): number => {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) count -= 1;
  }
  return count;
};

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

// Nothing that is compared is nested deeper; what is deeper in there counts as the same.
const comparedDepth = 100;

/** A text that two values of JSON share exactly when they are equal, in whatever order their keys stand. */
export const canonical = (value: unknown, depth = 0): string => {
  if (depth > comparedDepth) return "…";
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`);
  return `{${entries.join()}}`;
};

/** Whether a value holds objects or lists within each other more than `most` levels deep. */
export const isDeeperThan = (value: unknown, most: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeperThan(inner, most - 1));
};

// Names that differ in more places than this are no slips of the pen.
const nearestDistance = 2;

/** The known name that `name` is most likely meant for, or `null`. */
export const nearestName = (name: string, known: Iterable<string>): string | null => {
  let nearest: string | null = null;
  let least = nearestDistance + 1;
  for (const candidate of known) {
    const distance = name.length > 40 ? least : distanceBetween(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least && distance < candidate.length) [nearest, least] = [candidate, distance];
  }
  return nearest;
};

/** How many characters must be added, removed or changed (Levenshtein). */
const distanceBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const changed = (row[at] ?? 0) + (other[at] === character ? 0 : 1);
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, changed));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

/** The types that JSON Schema knows. */
export const jsonTypes = ["object", "array", "string", "number", "integer", "boolean", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The part of JSON Schema 2020-12 that is understood here. `schemaProblems` refuses whatever else there is. */
export type JsonSchema = {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: SchemaFormat;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  /** The value is stored encrypted and never shown. */
  readonly "x-secret"?: boolean;
  /** Where the field is in a form; lower numbers first. */
  readonly "x-order"?: number;
  /** What an empty field shows. */
  readonly "x-placeholder"?: string;
  /** The field has several lines. */
  readonly "x-multiline"?: boolean;
};

/** Whether a text fits a pattern. `size`: what each character of a text costs; 1 when it is not given. */
export type PatternTest = { (text: string): boolean; readonly size?: number };

/**
 * Makes a test of a pattern; throws when it is none, a `PatternFault` when it is too much. Whoever checks strangers'
 * patterns brings one whose time is linear in text and size.
 */
export type CompilePattern = (pattern: string) => PatternTest;

/** What checking schemas needs from outside. */
export type SchemaOptions = { compilePattern: CompilePattern };

/** One run of a check: what it found, and how much more it may look at. */
export type SchemaRun = { errors: FieldError[]; most: number; budget: SchemaBudget };

/** What checks may still look at, and what was too much for them. */
export type SchemaBudget = { left: number; gaveUp: FieldError | null };

/** Compares a value, which stands at `path`, with a schema. */
export type Check = (value: unknown, path: string, run: SchemaRun) => void;

// A body of 1 MB takes a tenth of a second at worst; what takes longer is made to.
const mostSteps = 500_000;

/** What one check may look at, or several together. */
export const startBudget = (): SchemaBudget => ({ left: mostSteps, gaveUp: null });

/** Ends a run with a complaint: what was not looked at must count as fitting nowhere, not even behind a `not`. */
export const giveUp = ({ budget }: SchemaRun, path: string, message: string): void => {
  budget.gaveUp ??= { path, message };
  budget.left = 0;
};

/** Adds an error, unless there are enough. */
export const say = (run: SchemaRun, path: string, message: string): void => {
  if (!isFull(run)) run.errors.push({ path, message });
};

/** Whether nothing more needs to be looked at. */
export const isFull = (run: SchemaRun): boolean => run.errors.length >= run.most || run.budget.left <= 0;

/** What a check says of a value, without saying it in the run itself; it takes from the same budget. */
export const tryOut = (
  check: Check,
  value: unknown,
  { path, run }: { path: string; run: SchemaRun },
): FieldError[] => {
  const trial = { errors: [], most: run.most, budget: run.budget };
  check(value, path, trial);
  return trial.errors;
};

const uri = /^[A-Za-z][A-Za-z0-9+.-]*:[!#-;=?-[\]_a-z~]+$/;
const loosePercent = /%(?![0-9A-Fa-f]{2})/;
const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const moment =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const uuid = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const ipv6 = /^[0-9A-Fa-f:.]{2,45}$/;
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

const isDay = (text: string): boolean => {
  const [, year, month, date] = (day.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined) return false;
  // Day 0 of the next month is the last one of this; the year as it stands, for 0 to 99 would be taken for 1900 and on.
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && date >= 1 && date <= last;
};

/**
 * What the formats of JSON Schema demand, each checked in time linear in the text. Sources: RFC 3986 (uri), RFC 3339
 * without leap seconds (date, date-time), RFC 9562 (uuid), RFC 4291 (ipv6), RFC 1123 (hostname).
 */
export const schemaFormats = {
  email: (text: string) => text === text.trim() && emailComplaint(text) === null,
  uri: (text: string) =>
    text.length <= 2_048 && uri.test(text) && !loosePercent.test(text) && URL.canParse(text),
  date: isDay,
  "date-time": (text: string) => isDay(moment.exec(text)?.[1] ?? ""),
  uuid: (text: string) => uuid.test(text),
  ipv4: (text: string) => ipv4.test(text),
  ipv6: (text: string) => ipv6.test(text) && text.includes(":") && URL.canParse(`http://[${text}]`),
  hostname: (text: string) => text.length <= 253 && text.split(".").every((part) => label.test(part)),
} as const;

/** Names of the formats that schemas may use. */
type SchemaFormat = keyof typeof schemaFormats;

/** Whether a text names one of {@link schemaFormats}. */
export const isSchemaFormat = (name: unknown): name is SchemaFormat =>
  typeof name === "string" && Object.hasOwn(schemaFormats, name);
