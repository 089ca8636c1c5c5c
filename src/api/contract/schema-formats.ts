import { emailComplaint } from "./account-rules.ts";

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
export type SchemaFormat = keyof typeof schemaFormats;

/** Whether a text names one of {@link schemaFormats}. */
export const isSchemaFormat = (name: unknown): name is SchemaFormat =>
  typeof name === "string" && Object.hasOwn(schemaFormats, name);
