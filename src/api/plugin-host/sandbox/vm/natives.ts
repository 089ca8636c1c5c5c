import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

/** Bytes as they cross into the interpreter and out of it. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * What the objects in the interpreter have done outside it, because it would be slow or is not possible inside. Text
 * crosses as JSON: the interpreter's own strings end at their first NUL. What they throw is thrown in the plugin.
 */
export const textNatives = {
  parseUrl: (href: string, base: string | null): UrlParts => partsOf(new URL(href, base ?? undefined)),
  changeUrl: (href: string, part: keyof UrlParts, value: string): UrlParts => {
    const url = new URL(href);
    // The origin alone cannot be set.
    if (part !== "origin") url[part] = value;
    return partsOf(url);
  },
  parseParams: (text: string): [string, string][] => [...new URLSearchParams(text)],
  writeParams: (pairs: [string, string][]): string => new URLSearchParams(pairs).toString(),
  atob: (text: string): string => atob(text),
  btoa: (text: string): string => btoa(text),
  /** The text in base64; throws where it is no UTF-8. */
  decodeBase64: (base64: string): string => strictUtf8.decode(Buffer.from(base64, "base64")),
  randomUUID: (): string => randomUUID(),
} as const;

/** Natives that make bytes of bytes. */
export const byteNatives = {
  digest: (algorithm: string, data: Bytes): Bytes =>
    copyOf(createHash(hashOf(algorithm)).update(data).digest()),
  sign: (algorithm: string, data: Bytes, key: Bytes): Bytes =>
    copyOf(createHmac(hashOf(algorithm), key).update(data).digest()),
  random: (count: string): Bytes => copyOf(randomBytes(Math.min(Number(count), 65_536))),
  encode: (json: string): Bytes => copyOf(Buffer.from(String(JSON.parse(json)))),
} as const;

/** The text that bytes stand for. Throws where it should be `isFatal` and they are no UTF-8. */
export const decodeBytes = (data: Bytes, isFatal: boolean, ignoreBOM: boolean): string =>
  new TextDecoder("utf-8", { fatal: isFatal, ignoreBOM }).decode(data);

/** Whether two signatures are the same, in a time that does not tell how much of them is. */
export const isSameSignature = (a: Bytes, b: Bytes): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

/** Uses everything once that the runtime would load later, when it can open no more files. */
export const warmNatives = (): void => {
  const data = byteNatives.encode('"warm"');
  for (const algorithm of ["SHA-1", "SHA-256", "SHA-384", "SHA-512"]) {
    byteNatives.digest(algorithm, data);
    isSameSignature(byteNatives.sign(algorithm, data, data), data);
  }
  byteNatives.random("8");
  textNatives.changeUrl(textNatives.parseUrl("/a?b=1", "https://example.com").href, "hash", "c");
  textNatives.writeParams(textNatives.parseParams("a=1"));
  textNatives.decodeBase64(textNatives.btoa(textNatives.atob("YQ==")));
  textNatives.randomUUID();
  decodeBytes(data, true, false);
};

/** A URL, taken apart. */
export type UrlParts = Record<(typeof urlParts)[number], string>;
const urlParts = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

const partsOf = (url: URL): UrlParts => ({
  href: url.href,
  origin: url.origin,
  protocol: url.protocol,
  username: url.username,
  password: url.password,
  host: url.host,
  hostname: url.hostname,
  port: url.port,
  pathname: url.pathname,
  search: url.search,
  hash: url.hash,
});

const hashOf = (algorithm: string): string => {
  const name = hashes[algorithm.toUpperCase()];
  if (name === undefined) throw new TypeError("The algorithm must be SHA-1, SHA-256, SHA-384 or SHA-512");
  return name;
};

const hashes: Record<string, string> = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
};

// Not a view into a pool that other values share.
const copyOf = (data: Buffer): Bytes => new Uint8Array(data);

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
