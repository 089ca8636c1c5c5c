import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";

/** Bytes that cross into or out of the interpreter. */
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * What the objects in the interpreter do outside it, because it would be slow or impossible inside. Text crosses as
 * JSON: the interpreter's own strings end at their first NUL. Exceptions are thrown in the plugin.
 */
const textNatives = {
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
  /** The text in base64; throws if it is not UTF-8. */
  decodeBase64: (base64: string): string => strictUtf8.decode(Buffer.from(base64, "base64")),
  randomUUID: (): string => randomUUID(),
} as const;

/** Natives from bytes to bytes. */
const byteNatives = {
  digest: (algorithm: string, data: Bytes): Bytes =>
    copyOf(createHash(hashOf(algorithm)).update(data).digest()),
  sign: (algorithm: string, data: Bytes, key: Bytes): Bytes =>
    copyOf(createHmac(hashOf(algorithm), key).update(data).digest()),
  random: (count: string): Bytes => copyOf(randomBytes(Math.min(Number(count), 65_536))),
  encode: (json: string): Bytes => copyOf(Buffer.from(String(JSON.parse(json)))),
} as const;

/** The text of bytes. Throws if `isFatal` and they are not UTF-8. */
const decodeBytes = (data: Bytes, isFatal: boolean, ignoreBOM: boolean): string =>
  new TextDecoder("utf-8", { fatal: isFatal, ignoreBOM }).decode(data);

/** Whether two signatures are equal, in constant time. */
const isSameSignature = (a: Bytes, b: Bytes): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Uses everything once that the runtime would load later, when it can't open files any more. */
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

/** What the interpreter reports to the process; text is JSON. */
export type NativeEvents = {
  onLog(level: string, message: string): void;
  onStartTimer(id: number, ms: number): void;
  onStopTimer(id: number): void;
  onCall(id: number, op: string, args: string): void;
  onSuccess(id: number, json: string | undefined): void;
  onFailure(id: number, json: string): void;
};

/** Makes {@link NativesInVm}, as an object in the interpreter. Exceptions of a native are thrown in there. */
export const exposeNatives = (context: QuickJSContext, events: NativeEvents): QuickJSHandle => {
  const textOf = (handle: QuickJSHandle | undefined): string =>
    handle === undefined ? "" : context.getString(handle);
  const numberOf = (handle: QuickJSHandle): number => context.getNumber(handle);
  const isTrue = (handle: QuickJSHandle): boolean => context.dump(handle) === true;
  const bytesOf = (handle: QuickJSHandle | undefined): Bytes =>
    handle === undefined
      ? new Uint8Array()
      : context.getArrayBuffer(handle).consume(({ value }) => new Uint8Array(value));

  const natives: Record<keyof NativesInVm, (...handles: QuickJSHandle[]) => QuickJSHandle | undefined> = {
    text: (name, args) => {
      const made = apply(textNatives, textOf(name), JSON.parse(textOf(args)));
      return context.newString(JSON.stringify(made));
    },
    bytes: (name, first, second, third) => {
      const made = apply(byteNatives, textOf(name), [textOf(first), bytesOf(second), bytesOf(third)]);
      return context.newArrayBuffer(made.buffer);
    },
    decode: (data, isFatal, ignoreBOM) =>
      context.newString(JSON.stringify(decodeBytes(bytesOf(data), isTrue(isFatal), isTrue(ignoreBOM)))),
    isSame: (a, b) => (isSameSignature(bytesOf(a), bytesOf(b)) ? context.true : context.false),
    log: (level, message) => void events.onLog(textOf(level), JSON.parse(textOf(message))),
    startTimer: (id, ms) => void events.onStartTimer(numberOf(id), numberOf(ms)),
    stopTimer: (id) => void events.onStopTimer(numberOf(id)),
    call: (id, op, args) => void events.onCall(numberOf(id), textOf(op), textOf(args)),
    succeed: (id, json) => void events.onSuccess(numberOf(id), json === undefined ? undefined : textOf(json)),
    fail: (id, json) => void events.onFailure(numberOf(id), textOf(json)),
  };

  const object = context.newObject();
  for (const [name, run] of Object.entries(natives)) {
    context.newFunction(name, run).consume((handle) => context.setProp(object, name, handle));
  }
  return object;
};

/** Calls a native with the arguments of the interpreter's own objects, converted for each native. */
const apply = <N extends Record<string, (...args: never[]) => unknown>>(
  natives: N,
  name: string,
  args: unknown[],
): ReturnType<N[keyof N]> => {
  const native = Object.hasOwn(natives, name) ? natives[name] : undefined;
  if (native === undefined) throw new TypeError(`There is no native ${name}`);
  return native(...(args as never[])) as ReturnType<N[keyof N]>;
};

/** What code in the interpreter can reach outside it, before the plugin's own code is loaded. Plugins never see it. */
export type NativesInVm = {
  /** Calls one of `textNatives` with a JSON array of its arguments; returns JSON. */
  text(name: string, args: string): string;
  /** Calls one of `byteNatives`. */
  bytes(name: string, first: string, second?: ArrayBuffer, third?: ArrayBuffer): ArrayBuffer;
  /** The text of bytes, as JSON. */
  decode(data: ArrayBuffer, isFatal: boolean, ignoreBOM: boolean): string;
  isSame(a: ArrayBuffer, b: ArrayBuffer): boolean;
  log(level: string, message: string): void;
  /** Calls `fire` with `id` after `ms`. */
  startTimer(id: number, ms: number): void;
  stopTimer(id: number): void;
  call(id: number, op: string, args: string): void;
  /** The result of a task: JSON, or nothing for `undefined`. */
  succeed(id: number, json?: string): void;
  /** A JSON array of the message and the stack. */
  fail(id: number, json: string): void;
};
