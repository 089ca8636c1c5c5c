import type { NativesInVm, UrlParts } from "./natives.ts";

/** What the process calls when a timer is due, and for a promise that was rejected without a handler. */
type BasicsInVm = { fire(id: number): void; reject(reason: unknown): void };

/**
 * Gives the interpreter what every JavaScript runtime has in addition to the language: console, timers, text and
 * base64. The source text of this function is evaluated in the interpreter: it uses nothing from outside itself.
 */
export const installBasics = (natives: NativesInVm, most: { timers: number; text: number }): BasicsInVm => {
  const { parse, stringify } = JSON;
  const define = (name: string, value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  };

  const show = (value: unknown): string => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.stack ? `${value}\n${value.stack}` : String(value);
    try {
      return (typeof value === "object" && value !== null ? stringify(value) : undefined) ?? String(value);
    } catch {
      return "[unprintable]";
    }
  };
  const logger =
    (level: string) =>
    (...words: unknown[]): void =>
      natives.log(level, stringify(words.map(show).join(" ").slice(0, most.text)));
  define("console", {
    debug: logger("debug"),
    log: logger("info"),
    info: logger("info"),
    warn: logger("warn"),
    error: logger("error"),
    trace: logger("debug"),
  });

  const timers = new Map<number, { run: () => unknown; everyMs: number | null }>();
  let lastTimer = 0;
  const report = (what: string, error: unknown): void => {
    let shown = "something that cannot be described";
    try {
      shown = show(error);
    } catch {
      // Even its own description throws.
    }
    natives.log("error", stringify(`${what}: ${shown}`.slice(0, most.text)));
  };
  const attempt = (run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      report("Uncaught", error);
    }
  };
  const startTimer = (run: unknown, ms: unknown, args: unknown[], isRepeated: boolean): number => {
    if (typeof run !== "function") throw new TypeError("A timer needs a function");
    if (timers.size >= most.timers)
      throw new RangeError(`A plugin has at most ${most.timers} timers at the same time`);
    // As in browsers: a timer can't be a busy loop, and elsewhere one of more than 24 days fires immediately.
    const delayMs = Math.min(Math.max(Number(ms) || 0, isRepeated ? 10 : 1), 2 ** 31 - 1);
    lastTimer += 1;
    timers.set(lastTimer, { run: () => run(...args), everyMs: isRepeated ? delayMs : null });
    natives.startTimer(lastTimer, delayMs);
    return lastTimer;
  };
  const stopTimer = (id: unknown): void => {
    if (typeof id === "number" && timers.delete(id)) natives.stopTimer(id);
  };
  define("setTimeout", (run: unknown, ms: unknown, ...args: unknown[]) => startTimer(run, ms, args, false));
  define("setInterval", (run: unknown, ms: unknown, ...args: unknown[]) => startTimer(run, ms, args, true));
  define("clearTimeout", stopTimer);
  define("clearInterval", stopTimer);
  const resolved = Promise.resolve();
  define("queueMicrotask", (run: unknown): void => {
    if (typeof run !== "function") throw new TypeError("queueMicrotask needs a function");
    void resolved.then(() => attempt(() => run()));
  });

  const convert = (name: string, text: unknown): string =>
    parse(natives.text(name, stringify([String(text)])));
  define("atob", (text: unknown) => convert("atob", text));
  define("btoa", (text: unknown) => convert("btoa", text));
  define("structuredClone", (value: unknown): unknown => {
    const json = stringify(value);
    if (json === undefined && value !== undefined) throw new TypeError("Only JSON can be cloned here");
    return json === undefined ? undefined : parse(json);
  });

  const bytesOf = (data: unknown): ArrayBuffer => {
    if (data instanceof ArrayBuffer) return data;
    if (!ArrayBuffer.isView(data)) throw new TypeError("Bytes must be an ArrayBuffer or a view of one");
    // Shared memory does not exist here.
    return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
  };
  define(
    "TextEncoder",
    class TextEncoder {
      get encoding(): string {
        return "utf-8";
      }
      encode(text: unknown = ""): Uint8Array {
        return new Uint8Array(natives.bytes("encode", stringify(String(text))));
      }
    },
  );
  define(
    "TextDecoder",
    class TextDecoder {
      readonly fatal: boolean;
      readonly ignoreBOM: boolean;
      constructor(label: unknown = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
        if (!/^\s*utf-?8\s*$/i.test(String(label))) throw new RangeError("Only UTF-8 can be decoded here");
        this.fatal = Boolean(options.fatal);
        this.ignoreBOM = Boolean(options.ignoreBOM);
      }
      get encoding(): string {
        return "utf-8";
      }
      decode(data?: unknown, options: { stream?: boolean } = {}): string {
        if (options.stream) throw new TypeError("Text can be decoded only as a whole here");
        return data === undefined ? "" : parse(natives.decode(bytesOf(data), this.fatal, this.ignoreBOM));
      }
    },
  );

  return {
    fire: (id) => {
      const timer = timers.get(id);
      if (timer === undefined) return;
      if (timer.everyMs === null) timers.delete(id);
      else natives.startTimer(id, timer.everyMs);
      attempt(timer.run);
    },
    reject: (reason) => report("Unhandled rejection", reason),
  };
};

/**
 * Gives the interpreter the part of Web Crypto that plugins need: digests, HMAC and random values. The source text of
 * this function is evaluated in the interpreter: it uses nothing from outside itself.
 */
export const installCrypto = (natives: NativesInVm): void => {
  const { parse } = JSON;
  const secrets = new WeakMap<object, { bytes: ArrayBuffer; hash: string }>();

  const bytesOf = (data: unknown): ArrayBuffer => {
    if (data instanceof ArrayBuffer) return data;
    if (!ArrayBuffer.isView(data)) throw new TypeError("Bytes must be an ArrayBuffer or a view of one");
    // Shared memory does not exist here.
    return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
  };
  const nameOf = (algorithm: unknown): string => {
    const isNamed = typeof algorithm === "object" && algorithm !== null && "name" in algorithm;
    return String(isNamed ? algorithm.name : algorithm);
  };
  const requireHmac = (algorithm: unknown): void => {
    if (nameOf(algorithm).toUpperCase() !== "HMAC") throw new TypeError("Only HMAC keys are supported here");
  };
  const secretOf = (algorithm: unknown, key: object) => {
    requireHmac(algorithm);
    const secret = secrets.get(key);
    if (secret === undefined) throw new TypeError("The key must come from importKey");
    return secret;
  };

  const subtle = {
    digest: async (algorithm: unknown, data: unknown): Promise<ArrayBuffer> =>
      natives.bytes("digest", nameOf(algorithm), bytesOf(data)),
    importKey: async (
      format: unknown,
      data: unknown,
      algorithm: { name: string; hash: unknown },
      extractable: unknown,
      usages: unknown[],
    ): Promise<object> => {
      requireHmac(algorithm);
      if (format !== "raw") throw new TypeError("Only raw keys can be imported here");
      const hash = nameOf(algorithm.hash);
      // Refuses an unknown hash now, and not at its first use.
      natives.bytes("digest", hash, new ArrayBuffer(0));
      const key = Object.freeze({
        type: "secret",
        extractable: Boolean(extractable),
        algorithm: Object.freeze({ name: "HMAC", hash: Object.freeze({ name: hash }) }),
        usages: Object.freeze([...usages]),
      });
      secrets.set(key, { bytes: bytesOf(data).slice(0), hash });
      return key;
    },
    sign: async (algorithm: unknown, key: object, data: unknown): Promise<ArrayBuffer> => {
      const { bytes, hash } = secretOf(algorithm, key);
      return natives.bytes("sign", hash, bytesOf(data), bytes);
    },
    verify: async (algorithm: unknown, key: object, signature: unknown, data: unknown): Promise<boolean> => {
      const { bytes, hash } = secretOf(algorithm, key);
      return natives.isSame(bytesOf(signature), natives.bytes("sign", hash, bytesOf(data), bytes));
    },
  };

  const getRandomValues = <T extends ArrayBufferView>(view: T): T => {
    if (!ArrayBuffer.isView(view) || view.byteLength > 65_536)
      throw new TypeError("Random values need a view of at most 65,536 bytes");
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    bytes.set(new Uint8Array(natives.bytes("random", String(view.byteLength))));
    return view;
  };

  const value = Object.freeze({
    subtle: Object.freeze(subtle),
    getRandomValues,
    randomUUID: (): string => parse(natives.text("randomUUID", "[]")),
  });
  Object.defineProperty(globalThis, "crypto", { value, configurable: true, enumerable: false });
};

/**
 * Gives the interpreter `URL` and `URLSearchParams`, whose rules are applied outside. The source text of this function
 * is evaluated in the interpreter: it uses nothing from outside itself.
 */
export const installUrl = (natives: NativesInVm): void => {
  const { parse, stringify } = JSON;
  const native = (name: string, ...args: unknown[]) => parse(natives.text(name, stringify(args)));
  type Pair = [string, string];

  const pairsOf = (init: unknown): Pair[] => {
    if (init === undefined || init === null) return [];
    if (typeof init !== "object") return native("parseParams", String(init));
    if (!(Symbol.iterator in init)) return Object.entries(init).map(([key, value]) => [key, String(value)]);
    return Array.from(init as Iterable<unknown[]>, (pair) => {
      const [key, value, ...more] = pair;
      if (value === undefined || more.length > 0) throw new TypeError("Each pair must be a name and a value");
      return [String(key), String(value)];
    });
  };

  class SearchParams {
    #pairs: Pair[];
    #onChange: ((text: string) => void) | undefined;

    constructor(init?: unknown) {
      this.#pairs = pairsOf(init);
    }
    /** Updates the URL after each change. */
    static watched(text: string, onChange: (text: string) => void): SearchParams {
      const params = new SearchParams(text);
      params.#onChange = onChange;
      return params;
    }
    static refill(params: SearchParams, text: string): void {
      params.#pairs = pairsOf(text);
    }
    #replace(pairs: Pair[]): void {
      this.#pairs = pairs;
      this.#onChange?.(this.toString());
    }
    get size(): number {
      return this.#pairs.length;
    }
    append(name: unknown, value: unknown): void {
      this.#replace([...this.#pairs, [String(name), String(value)]]);
    }
    delete(name: unknown, value?: unknown): void {
      const isMeant = (pair: Pair) =>
        pair[0] === String(name) && (value === undefined || pair[1] === String(value));
      this.#replace(this.#pairs.filter((pair) => !isMeant(pair)));
    }
    get(name: unknown): string | null {
      return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
    }
    getAll(name: unknown): string[] {
      return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
    }
    has(name: unknown, value?: unknown): boolean {
      const values = this.getAll(name);
      return value === undefined ? values.length > 0 : values.includes(String(value));
    }
    set(name: unknown, value: unknown): void {
      const key = String(name);
      const at = this.#pairs.findIndex((pair) => pair[0] === key);
      if (at < 0) {
        this.append(key, value);
        return;
      }
      const isKept = (pair: Pair, index: number) => index === at || pair[0] !== key;
      const kept = this.#pairs.filter(isKept);
      this.#replace(kept.map((pair): Pair => (pair[0] === key ? [key, String(value)] : pair)));
    }
    sort(): void {
      const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));
      this.#replace(this.#pairs.toSorted((a, b) => order(a[0], b[0])));
    }
    forEach(visit: (value: string, name: string, params: SearchParams) => void): void {
      for (const [key, value] of this.#pairs) visit(value, key, this);
    }
    *entries(): Generator<Pair> {
      for (const [key, value] of this.#pairs) yield [key, value];
    }
    *keys(): Generator<string> {
      for (const [key] of this.#pairs) yield key;
    }
    *values(): Generator<string> {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator](): Generator<Pair> {
      return this.entries();
    }
    toString(): string {
      return native("writeParams", this.#pairs);
    }
  }
  const { refill, watched } = SearchParams;
  Reflect.deleteProperty(SearchParams, "refill");
  Reflect.deleteProperty(SearchParams, "watched");

  class Address {
    #parts: UrlParts;
    #params: SearchParams | undefined;

    constructor(href: unknown, base?: unknown) {
      this.#parts = native("parseUrl", String(href), base === undefined ? null : String(base));
    }
    static parse(href: unknown, base?: unknown): Address | null {
      try {
        return new Address(href, base);
      } catch {
        return null;
      }
    }
    static canParse(href: unknown, base?: unknown): boolean {
      return Address.parse(href, base) !== null;
    }
    static part(address: Address, part: keyof UrlParts): string {
      return address.#parts[part];
    }
    static change(address: Address, part: keyof UrlParts, value: unknown): void {
      address.#parts = native("changeUrl", address.#parts.href, part, String(value));
      if (address.#params !== undefined) refill(address.#params, address.#parts.search);
    }
    get searchParams(): SearchParams {
      this.#params ??= watched(this.#parts.search, (text) => {
        this.#parts = native("changeUrl", this.#parts.href, "search", text);
      });
      return this.#params;
    }
    toString(): string {
      return this.#parts.href;
    }
    toJSON(): string {
      return this.#parts.href;
    }
  }
  const { part, change } = Address;
  Reflect.deleteProperty(Address, "part");
  Reflect.deleteProperty(Address, "change");
  const settable = ["href", "protocol", "username", "password", "host", "hostname", "port"] as const;
  for (const name of [...settable, "pathname", "search", "hash", "origin"] as const) {
    Object.defineProperty(Address.prototype, name, {
      get(this: Address) {
        return part(this, name);
      },
      set(this: Address, value: unknown) {
        if (name !== "origin") change(this, name, value);
      },
      configurable: true,
      enumerable: true,
    });
  }

  for (const [name, value] of Object.entries({ URL: Address, URLSearchParams: SearchParams })) {
    Object.defineProperty(value, "name", { value: name });
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
};
