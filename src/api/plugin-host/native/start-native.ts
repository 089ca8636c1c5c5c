import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf } from "#api/core/ids.ts";
import type { Log } from "#api/core/log.ts";
import { within } from "#api/core/timing.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { NativeHost } from "#plugins/sdk/native-types.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { createFacade, type FacadeHost } from "../facade.ts";
import { PluginFault } from "../host-functions/host-function.ts";
import { type HostOp, hostOps, InvocationError, type RuntimeHost, type StartRuntime } from "../runtime.ts";
import { sandboxLimits } from "../sandbox/sandbox-limits.ts";
import { createNativeExtras, type Registered } from "./native-host.ts";

/**
 * Runs plugins inside the server, with all of its rights. They get what the sandbox provides, and also `ctx.request`
 * and `ctx.app`. Time limits apply to whatever waits; an endless loop blocks the server, which can't be prevented here.
 */
export const createStartNative =
  (importBundle: ImportBundle, hostOf: (plugin: string) => Omit<NativeHost, Registered>): StartRuntime =>
  async (program, host) => {
    const { limits, source, ...about } = program;
    const { routes, jobs, listeners } = pluginLimits;
    let isOver = false;
    let ending: Promise<void> | null = null;
    const extras = createNativeExtras(program.name, hostOf(program.name));
    const facade = createFacade(
      facadeHost(host, () => isOver),
      { ...about, most: { routes, jobs, listeners } },
      extras.ctx,
    );
    const definition = await importBundle(source).catch((cause) => {
      throw new Error(`The backend cannot be loaded: ${wordsOf(cause)}`, { cause });
    });
    const registration = await within(pluginLimits.setupMs, facade.start(definition)).catch((cause) => {
      isOver = true;
      throw new Error(wordsOf(cause), { cause });
    });
    const gate = createGate(() => isOver);
    return {
      registration,
      isolation: "native",
      extras: extras.close(),
      memoryBytes: () => null,
      invoke: (handler, payload) =>
        gate(limits.wallMs, async () => toAnswer(await facade.invoke(handler, toPayload(payload)))),
      setSettings: (next) => gate(limits.wallMs, () => facade.setSettings(structuredClone(next))),
      health: () => gate(limits.wallMs, () => facade.health()),
      migrate: (from) => gate(sandboxLimits.migrateMs, () => facade.migrate(from)),
      stop: (reason) => {
        // What doesn't end within its time counts as ended.
        ending ??= within(pluginLimits.teardownMs, facade.teardown(reason))
          .catch((error) => host.log("error", `teardown failed: ${wordsOf(error)}`))
          .finally(() => {
            isOver = true;
          });
        return ending;
      },
    };
  };

const facadeHost = (host: RuntimeHost, isOver: () => boolean): FacadeHost => ({
  call: async (op, args) => {
    if (isOver()) throw new PluginFault("UNAVAILABLE", "The plugin has been stopped");
    return host.call(asHostOp(op), args.map(toJson));
  },
  log: (level, message) => host.log(level, message.slice(0, pluginLimits.logLineLength)),
  decodeText: textIn,
});

/** Limits the number of concurrent calls and their duration. */
const createGate = (isOver: () => boolean) => {
  let inside = 0;
  return async <T>(limitMs: number, work: () => Promise<T>): Promise<T> => {
    if (isOver()) throw new InvocationError("unavailable", "The plugin has been stopped");
    if (inside >= pluginLimits.callsAtOnce)
      throw new InvocationError("too-many", "The plugin has too many calls at the same time");
    inside += 1;
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new InvocationError("timeout", `It took longer than ${limitMs} ms`)),
      limitMs,
    );
    try {
      return await Promise.race([work(), deadline]);
    } catch (cause) {
      throw cause instanceof InvocationError
        ? cause
        : new InvocationError("threw", wordsOf(cause), { cause });
    } finally {
      clearTimeout(timer);
      inside -= 1;
    }
  };
};

const isHostOp = (op: string): op is HostOp => hostOps.some((known) => known === op);

/** The operation of that name; the facade knows no other. */
const asHostOp = (op: string): HostOp => {
  if (!isHostOp(op)) throw new TypeError(`There is no operation ${op}`);
  return op;
};

/** A value as it would cross to a sandbox or back: a copy as JSON. Throws if it is not JSON. */
const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value) ?? "null");

/** A handler's result, as it would come from a sandbox. Throws `too-large`. */
const toAnswer = (value: unknown): Json | undefined => {
  const text = JSON.stringify(value);
  if (text === undefined) return undefined;
  if (text.length > sandboxLimits.invocationBytes)
    throw new InvocationError("too-large", `The answer is larger than ${pluginLimits.bodyBytes} bytes`);
  return JSON.parse(text);
};

/** A handler's argument, as it would come to a sandbox. Throws `too-large`. */
const toPayload = (payload: Json): Json => {
  const text = JSON.stringify(payload);
  if (text.length > sandboxLimits.invocationBytes)
    throw new InvocationError("too-large", `The call is larger than ${pluginLimits.bodyBytes} bytes`);
  return JSON.parse(text);
};

/** The text in `base64`; throws if it is not UTF-8. */
const textIn = (base64: string): string =>
  new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64, "base64"));

/** What was thrown, described for the plugin's author. */
const wordsOf = (thrown: unknown): string => {
  try {
    if (!(thrown instanceof Error)) return String(thrown).slice(0, pluginLimits.logLineLength);
    const text = thrown.name === "Error" ? thrown.message : `${thrown.name}: ${thrown.message}`;
    return text.slice(0, pluginLimits.logLineLength);
  } catch {
    return "It threw something that cannot be described";
  }
};

/** Loads a bundle's text as a module and resolves to its default export. Rejects with an `Error` for the author. */
type ImportBundle = (source: string) => Promise<unknown>;

// Modules are never unloaded: about 200 KB remain of each.
const manyLoads = 50;

/**
 * Loads bundles from files in `folder` that are named by their content, as a new module each time: a restarted plugin
 * has no state of its former run.
 */
export const createImportBundle = ({
  folder,
  log,
}: {
  folder: string;
  log: Pick<Log, "info">;
}): ImportBundle => {
  let loads = 0;
  return async (source) => {
    loads += 1;
    if (loads === manyLoads)
      log.info("plugins were loaded into this process many times; a restart frees their memory", {
        loads,
      });
    const name = digestOf(new TextEncoder().encode(source));
    const path = join(folder, `${name}.mjs`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Always written: an existing file may differ from what was verified.
    const part = `${path}.${process.pid}.${loads}`;
    await writeFile(part, source, { mode: 0o600 });
    await rename(part, path);
    const module: unknown = await import(`${path}?load=${loads}`);
    return Reflect.get(Object(module), "default");
  };
};
