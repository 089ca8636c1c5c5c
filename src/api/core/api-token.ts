import { randomBytes } from "node:crypto";

/** The prefix of every API token, so that readers and secret scanners recognize one. */
export const apiTokenPrefix = "atr_";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const secretBytes = 32;

// 62^43 > 2^256, and 62^6 > 2^32.
const secretLength = 43;

const checkLength = 6;

const shape = new RegExp(`^${apiTokenPrefix}[0-9A-Za-z]{${secretLength + checkLength}}$`);

/**
 * A new API token: the prefix, 32 random bytes in base 62, and the CRC-32 of both in base 62, which distinguishes a token
 * from similar text without a lookup.
 */
export const newApiToken = (): string => {
  const secret = BigInt(`0x${randomBytes(secretBytes).toString("hex")}`);
  return withCheck(apiTokenPrefix + inBase62(secret, secretLength));
};

/** Whether a text has the form of an API token and its checksum is right. */
export const isApiToken = (text: string): boolean =>
  shape.test(text) && withCheck(text.slice(0, -checkLength)) === text;

/** The text without API tokens, nor what is left of one that was cut. */
export const withoutApiTokens = (text: string): string => text.replace(/atr_[0-9A-Za-z]{10,}/g, "[removed]");

/**
 * The text without complete API tokens, recognized by their checksum: for text that users choose, such as an address,
 * where similar text has to stay.
 */
export const withoutWholeTokens = (text: string): string =>
  text.replace(wholeToken, (found) => (isApiToken(found) ? "[removed]" : found));

const wholeToken = new RegExp(`${apiTokenPrefix}[0-9A-Za-z]{${secretLength + checkLength}}`, "g");

const withCheck = (text: string): string => text + inBase62(BigInt(Bun.hash.crc32(text)), checkLength);

const inBase62 = (value: bigint, length: number): string => {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
};
