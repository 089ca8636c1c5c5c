import { afterEach } from "bun:test";
import type {
  HostOp,
  PluginProgram,
  PluginRuntime,
  RuntimeFailure,
  RuntimeHost,
  StartRuntime,
} from "#api/plugin-host/runtime.ts";
import type { Json } from "#plugins/sdk/types.ts";

/** A plugin that was started, and what its host heard of it. */
export type StartedProbe = {
  runtime: PluginRuntime;
  calls: { op: HostOp; args: Json[] }[];
  lines: { level: string; message: string }[];
  failures: RuntimeFailure[];
};

/** Other fields of the program, and what the host answers; `undefined` unless given. */
export type ProbeOptions = Partial<PluginProgram> & { call?: RuntimeHost["call"] };

/** Starts small plugins in a runtime; all are ended after each test. */
export const createProbes = (start: StartRuntime) => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });

  const startSource = async (
    source: string,
    { call, ...program }: ProbeOptions = {},
  ): Promise<StartedProbe> => {
    const seen: Omit<StartedProbe, "runtime"> = { calls: [], lines: [], failures: [] };
    const host: RuntimeHost = {
      call: async (op, args) => {
        seen.calls.push({ op, args });
        return call?.(op, args);
      },
      log: (level, message) => void seen.lines.push({ level, message }),
      failed: (failure) => void seen.failures.push(failure),
    };
    const runtime = await start(
      {
        ...{ name: "probe", version: "1.0.0", source, settings: {}, replica: "here" },
        permissions: ["routes"],
        limits: { memoryMB: 32, cpuMs: 200, wallMs: 1_000 },
        ...program,
      },
      host,
    );
    endings.push(() => runtime.stop("shutdown"));
    return { ...seen, runtime };
  };

  /** Starts a plugin whose setup has that body; `more` are further fields of its definition. */
  const startWith = (setup: string, { more = "", ...options }: ProbeOptions & { more?: string } = {}) =>
    startSource(
      `export default { name: "probe", version: "1.0.0", async setup(ctx) { ${setup} }, ${more} };`,
      options,
    );

  /** Starts one with a single route; `invoke` calls it. */
  const startRoute = async (handler: string, options?: ProbeOptions) => {
    const started = await startWith(`ctx.routes.post("/", ${handler});`, options);
    const [{ handler: id = "" } = {}] = started.runtime.registration.routes;
    return { ...started, invoke: (body?: Json) => started.runtime.invoke(id, probeRequest(body)) };
  };

  return { startSource, startWith, startRoute };
};

/** A call as a plugin's handler gets it. */
export const probeRequest = (body: Json = null): Json => ({
  ...{ id: "1", method: "POST", path: "/", params: {}, query: {}, headers: {}, user: null, ip: "::1" },
  body,
});
