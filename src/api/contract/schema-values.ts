import { emailComplaint } from "./account-rules.ts";

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
