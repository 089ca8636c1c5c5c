import { within } from "#api/core/within.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { NativeHost } from "#plugins/sdk/native-types.ts";
import { createFacade, type FacadeHost } from "../facade.ts";
import { PluginFault } from "../host-functions/host-function.ts";
import { InvocationError, type RuntimeHost, type StartRuntime } from "../runtime.ts";
import { sandboxLimits } from "../sandbox/sandbox-limits.ts";
import type { ImportBundle } from "./import-bundle.ts";
import { createNativeExtras } from "./native-extras.ts";
import { asHostOp, textIn, toAnswer, toJson, toPayload, wordsOf } from "./native-values.ts";

/**
 * Runs plugins inside the server, with all of its rights. They get what the sandbox gives, and `ctx.request` and `ctx.app`
 * besides. Limits of time hold for whatever waits; a loop that never ends holds the server up, and nothing can be done
 * about that here.
 */
export const createStartNative =
  (importBundle: ImportBundle, hostOf: (plugin: string) => Omit<NativeHost, "manageCore">): StartRuntime =>
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
        // What does not end well within its time has ended all the same.
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

/** Lets so many calls in at once, each for so long. */
const createGate = (isOver: () => boolean) => {
  let inside = 0;
  return async <T>(limitMs: number, work: () => Promise<T>): Promise<T> => {
    if (isOver()) throw new InvocationError("unavailable", "The plugin has been stopped");
    if (inside >= pluginLimits.callsAtOnce)
      throw new InvocationError("too-many", "The plugin has too many calls at once");
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
