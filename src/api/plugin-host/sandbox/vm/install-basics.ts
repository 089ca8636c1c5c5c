import type { NativesInVm } from "./natives-in-vm.ts";

/** What the process calls when a timer's time has come, and for a promise that was rejected without a handler. */
export type BasicsInVm = { fire(id: number): void; reject(reason: unknown): void };

/**
 * Gives the interpreter what every JavaScript runtime has beside the language: console, timers, text and base64. The
 * text of this function is evaluated in the interpreter: it uses nothing from outside itself.
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
      throw new RangeError(`A plugin has at most ${most.timers} timers at once`);
    // As in browsers: a timer cannot be a busy loop, and one of more than 24 days fires at once elsewhere.
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
