import { createHmac, randomBytes } from "node:crypto";
import { readlinkSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isIP, isIPv6 } from "node:net";

/**
 * Removes secrets and personal data from a text that others may read. What is alike stays alike: an email or IP address
 * has one name throughout. `isFree` is for texts that anyone may have written to: whatever looks like a secret
 * goes too.
 */
export type Scrubber = (text: string, options?: { isFree?: boolean }) => string;

/** A scrubber that knows these secrets, and whose names can't be traced back. */
export const createScrubber = (secrets: readonly string[]): Scrubber => {
  const key = randomBytes(32);
  const nameOf = (kind: string, text: string): string =>
    `${kind}-${createHmac("sha256", key).update(text.toLowerCase()).digest("hex").slice(0, 8)}`;

  const withoutPeople = (text: string): string =>
    text
      .replace(mailAddress, (address) => `${nameOf("person", plainAddress(address))}@hidden`)
      .replace(ipv4, (found) => (isIP(found) === 4 && !isOwn(found) ? nameOf("ipv4", found) : found))
      .replace(ipv6, (found) => (isIPv6(found) && !isOwn(found) ? nameOf("ipv6", found) : found));

  return (text, { isFree = false } = {}) => {
    const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
    const plain = known
      .replace(urlUser, `$1${hidden}@`)
      // Emailed links contain their token after the path.
      .replace(urlTail, `$1$2${hidden}`);
    return withoutPeople(isFree ? withoutLikelySecrets(plain) : plain);
  };
};

const withoutLikelySecrets = (text: string): string =>
  text
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`)
    .replace(namedSecret, `$1${hidden}`)
    .replace(longWord, (word) => (isHarmless(word) ? word : hidden));

const plainAddress = (address: string): string => address.replace(/%(?:25)*40/, "@");

/** Words of letters, and ids that users see anyway. */
const isHarmless = (word: string): boolean =>
  !/\d/.test(word) || !/[a-z]/i.test(word) || uuid.test(word) || instant.test(word);

const hidden = "***";
// As it is, or as it is in a URL, encoded once or more often.
const mailAddress =
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+(?:@|%(?:25)*40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const ipv4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
const ipv6 = /(?<![\w:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\d{0,3}(?:\.\d{1,3}){3})?(?![\w:])/gi;
const urlUser = /(\w+:\/\/)[^\s/@"'\\]+@/g;
const urlTail = /(https?:\/\/[^\s?#"'\\]+)([?#])[^\s"'\\]+/gi;
const namedSecret =
  /((?:pass(?:word|phrase)?|secret|token|api[_-]?key|authorization|cookie)[\w-]*\\?["']?\s*[:=]\s*\\?["']?)[^\s"'\\,;}]+/gi;
const longWord = /[\w+=-]{20,}/g;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d{2}-\d{2}T/;

/** This machine, whatever it is. */
const isOwn = (address: string): boolean => /^(?:127\.|0\.0\.0\.0$|::1?$)/.test(address);

/** A value as JSON can hold it, with every text in it scrubbed; free text of users and services is scrubbed harder. */
export const scrubValue = (value: unknown, scrub: Scrubber, isFree = false): unknown => {
  if (typeof value === "string") return scrub(value, { isFree });
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, scrub, isFree));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !unwanted.test(name))
      .map(([name, item]) => [scrub(name), scrubValue(item, scrub, isFree || freeNames.test(name))]),
  );
};

// Links in emails are keys to accounts; the others are about visitors and don't help.
const unwanted = /^(?:link|cookie|authorization|userAgent|user-agent|setCookie)$/i;
const freeNames = /error|reason|message|problem|detail|remedy|stack|cause/i;

/** The file that the server's standard output goes to; `null` where that is none or unknown. */
export const findLogFile = (pid: number | null): string | null => {
  if (pid === null) return null;
  try {
    const path = readlinkSync(`/proc/${pid}/fd/1`);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
};

/** The end of a log, at most 8 MB of it. Throws when it cannot be read. */
export const readLogEnd = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    return await readEnd(file);
  } finally {
    await file.close();
  }
};

/** The last lines of a log without secrets and personal data. */
export const scrubLog = (text: string, scrub: Scrubber): string =>
  text
    .trimEnd()
    .split("\n")
    .slice(-mostLines)
    .map((line) => scrubLine(line.slice(0, longestLine), scrub))
    .join("\n");

const readEnd = async (file: FileHandle): Promise<string> => {
  const { size } = await file.stat();
  const start = Math.max(0, size - mostBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const text = buffer.toString("utf8", 0, bytesRead);
  return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
};

const scrubLine = (line: string, scrub: Scrubber): string => {
  const fields = parsed(line);
  return fields === null ? scrub(line, { isFree: true }) : JSON.stringify(scrubValue(fields, scrub, true));
};

const parsed = (line: string): object | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" ? value : null;
  } catch {
    // A human-readable line.
    return null;
  }
};

const mostBytes = 8_000_000;
const mostLines = 5_000;
const longestLine = 20_000;
