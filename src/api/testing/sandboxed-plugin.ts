import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type {
  HostFault,
  HostOp,
  PluginProgram,
  PluginRuntime,
  RuntimeFailure,
  RuntimeHost,
  RuntimeLimits,
  StartRuntime,
} from "../plugin-host/runtime.ts";
import { startSandbox } from "../plugin-host/sandbox/start-sandbox.ts";

/** A plugin in its sandbox, with what its host was told. */
export type SandboxedPlugin = {
  runtime: PluginRuntime;
  /** Runs the route registered for `GET {path}`, as a call without anything in it. */
  get(path: string): Promise<Json | undefined>;
  failures: RuntimeFailure[];
  lines: string[];
  calls: { op: HostOp; args: Json[] }[];
};

export type SandboxOptions = {
  limits?: Partial<RuntimeLimits>;
  start?: StartRuntime;
  /** The host's side; answers nothing unless given. */
  onCall?: (op: HostOp, args: Json[]) => Promise<Json | undefined>;
};

/** The source of a plugin whose `setup(ctx)` has the given body; `more` are other fields of its definition. */
export const pluginSource = (setup: string, more = ""): string =>
  `export default { name: "tried", version: "1.0.0", setup(ctx) { ${setup} }, ${more} };`;

/** A program as the host would have it run. */
export const pluginProgram = (source: string, limits: Partial<RuntimeLimits> = {}): PluginProgram => ({
  name: "tried",
  version: "1.0.0",
  source,
  permissions: ["routes"],
  settings: { greeting: "hello" },
  replica: "replica-1",
  limits: {
    memoryMB: pluginLimits.memoryMB,
    cpuMs: pluginLimits.cpuMs,
    wallMs: pluginLimits.wallMs,
    ...limits,
  },
});

/** What a plugin is refused with in tests. */
export const refusal: HostFault = { name: "PERMISSION_DENIED", message: "not granted" };

/** Starts a plugin from its source. Whoever starts it stops it. */
export const startSandboxed = async (
  source: string,
  { limits, start = startSandbox, onCall = async () => undefined }: SandboxOptions = {},
): Promise<SandboxedPlugin> => {
  const failures: RuntimeFailure[] = [];
  const lines: string[] = [];
  const calls: { op: HostOp; args: Json[] }[] = [];
  const host: RuntimeHost = {
    call: (op, args) => {
      calls.push({ op, args });
      return onCall(op, args);
    },
    log: (level, message) => void lines.push(`${level} ${message}`),
    failed: (failure) => void failures.push(failure),
  };
  const runtime = await start(pluginProgram(source, limits), host);
  const handlers = new Map(runtime.registration.routes.map(({ path, handler }) => [path, handler]));
  const get = (path: string) => runtime.invoke(handlers.get(path) ?? `unknown ${path}`, { path });
  return { runtime, get, failures, lines, calls };
};
