import { hasUnprintable } from "#contract/account-rules.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import type { Permission } from "#contract/plugins.ts";
import type { CoreManager, RequestInspector, ResponseShaper } from "#plugins/sdk/native-types.ts";
import type { AdminPanel, Health, Json, Method, TeardownReason } from "#plugins/sdk/types.ts";

/** One version of a plugin, ready to be run; everything in it has been verified. */
export type PluginProgram = {
  name: string;
  version: string;
  /** The backend's bundle: one ES module without imports. */
  source: string;
  /** Names of the granted permissions. */
  permissions: readonly string[];
  settings: Readonly<Record<string, Json>>;
  replica: string;
  /** At most the host's caps: see `pluginLimits`. */
  limits: RuntimeLimits;
};

/** What one plugin may use. */
export type RuntimeLimits = { memoryMB: number; cpuMs: number; wallMs: number };

/**
 * Operations that plugins ask the host for, as `ctx` names them. Arguments and results are JSON; `undefined` stands for
 * "nothing there".
 */
export const hostOps = [
  "kv.get",
  "kv.entry",
  "kv.set",
  "kv.delete",
  "kv.list",
  "kv.incr",
  "files.read",
  "files.write",
  "files.list",
  "files.delete",
  "settings.set",
  "secrets.get",
  "activity.log",
  "users.get",
  "mail.send",
  "fetch",
  "guard.setRules",
  "guard.stats",
  "plugins.call",
] as const;
export type HostOp = (typeof hostOps)[number];

/** Why a host call failed, in words for the plugin's author: becomes an `Error` with this `name` in the plugin. */
export type HostFault = { name: HostFaultName; message: string };
export const hostFaultNames = [
  "PERMISSION_DENIED",
  "INVALID",
  "CONFLICT",
  "LIMIT_EXCEEDED",
  "UNAVAILABLE",
  "FAILED",
] as const;
export type HostFaultName = (typeof hostFaultNames)[number];

/** A route as the plugin registered it: nothing in it has been checked. */
export type RegisteredRoute = {
  handler: string;
  method: Method;
  path: string;
  access: "admin" | "user" | "public";
  /** Names of headers that it wants to see besides the usual ones. */
  headers: string[];
  body: Json;
  query: Json;
  params: Json;
  response: Json;
  answers: Json;
  summary: string | null;
  description: string | null;
};

/** What a plugin registered in its set-up. A `handler` is the name to invoke it by. */
export type Registration = {
  name: string;
  version: string;
  description: string | null;
  adminPanel: AdminPanel | null;
  routes: RegisteredRoute[];
  jobs: { handler: string; name: string; everyMs: number }[];
  listeners: { handler: string; event: string }[];
  hasHealth: boolean;
  hasMigrate: boolean;
};

/** What a runtime needs of the host. */
export type RuntimeHost = {
  /** Does what the plugin asks for, if it may; `hasCaller` when a call of a route asks. Rejects with a {@link HostFault}. */
  call(op: HostOp, args: Json[], hasCaller?: boolean): Promise<Json | undefined>;
  log(level: "debug" | "info" | "warn" | "error", message: string): void;
  /**
   * The runtime is gone, or its interpreter was thrown away and made anew (`hasRecovered`, with what it registered this
   * time). `violation`: it broke the rules between host and plugin, and must not be started again by itself.
   */
  failed(failure: RuntimeFailure): void;
};

/**
 * Why a runtime failed; `reason` is a sentence for admins. `isExcused`: calls of its routes were what it failed at, so that
 * whoever calls could have it fail again, or the machine had no time for it.
 */
export type RuntimeFailure = {
  kind: "crash" | "hang" | "memory" | "cpu" | "violation";
  reason: string;
  hasRecovered: boolean;
  isExcused?: boolean;
};

/** Why something that was invoked has no result; `crashed`: the runtime went down with it. */
export class InvocationError extends Error {
  readonly kind: "threw" | "timeout" | "crashed" | "unavailable" | "too-many" | "too-large";
  constructor(kind: InvocationError["kind"], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "InvocationError";
    this.kind = kind;
  }
}

/** A start that took too long because the machine, or the host, had no time for it: no fault of the plugin. */
export class SlowStartError extends Error {}

/** What only plugins register that run inside the server. */
export type NativeExtras = {
  /** See each request before everything else, in their order; the first answer counts. */
  before: readonly ((
    request: Request,
    facts: { ip: string },
  ) => Response | undefined | Promise<Response | undefined>)[];
  /** Answers what none of the plugin's own routes does; `null` where there is no such handler. */
  mount: ((request: Request) => Response | Promise<Response>) | null;
  /** `null` where it has none, as with the next two. */
  inspector: RequestInspector | null;
  shaper: ResponseShaper | null;
  coreManager: CoreManager | null;
};

/** A plugin that runs, inside the server or in a process of its own. */
export type PluginRuntime = {
  readonly registration: Registration;
  /** Where it runs, for its page: `native`, `process`, or `process+seccomp`. */
  readonly isolation: "native" | "process" | "process+seccomp";
  /** Of plugins inside the server alone. */
  readonly extras?: NativeExtras;
  /** Private memory of its process in bytes; `null` inside the server. */
  memoryBytes(): number | null;
  /** Runs a handler. Rejects with {@link InvocationError}. `undefined` comes back as `undefined`. */
  invoke(handler: string, payload: Json): Promise<Json | undefined>;
  /** Hands over new settings, and runs the listeners for them. */
  setSettings(settings: Readonly<Record<string, Json>>): Promise<void>;
  /** What the plugin's own check says; healthy where it has none. Rejects with {@link InvocationError}. */
  health(): Promise<Health>;
  migrate(from: string): Promise<void>;
  /** Gives the plugin two seconds to end well, then ends it. Never throws; may be called twice. */
  stop(reason: TeardownReason): Promise<void>;
};

/** Starts a program: resolves once its set-up is done. Rejects with an `Error` whose message tells admins why not. */
export type StartRuntime = (program: PluginProgram, host: RuntimeHost) => Promise<PluginRuntime>;

/** A plugin that runs on this server, with what admins granted it. */
export type LivePlugin = {
  manifest: Manifest;
  version: string;
  /** SHA-256 of its package, in hexadecimal digits. */
  sha256: string;
  runtime: PluginRuntime;
  granted: readonly Permission[];
  /** Answers what none of its routes does, for admins: what a native plugin mounted. */
  mount?: ((request: Request) => Response | Promise<Response>) | undefined;
};

/** What others reach of a plugin while it runs, such as its routes, jobs or listeners. None of it may throw. */
export type PluginDoor = {
  /** Opens it, or puts it in the place of what was opened before, in one step. */
  open(live: LivePlugin): void;
  /** The plugin is on, but does not run at the moment. */
  suspend(name: string): void;
  /** The plugin is off. */
  close(name: string): void;
};

/** What stands for the backend of a plugin that has none: it is well, and does nothing. */
export const noBackend = ({ name, version }: { name: string; version: string }): PluginRuntime => ({
  registration: {
    ...{ name, version },
    description: null,
    adminPanel: null,
    routes: [],
    jobs: [],
    listeners: [],
    hasHealth: false,
    hasMigrate: false,
  },
  isolation: "native",
  memoryBytes: () => null,
  invoke: async (handler) => {
    throw new InvocationError("unavailable", `There is no handler ${handler}`);
  },
  setSettings: async () => {},
  health: async () => ({ ok: true }),
  migrate: async () => {},
  stop: async () => {},
});

/** What a plugin's function threw, for its log: the message, and where in the bundle that was, if that is known. */
export const faultText = (plugin: string, error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: null };
  return withPlace(plugin, message, cause);
};

/** A message with the first place in the plugin's bundle that a stack of the interpreter names. */
export const withPlace = (plugin: string, message: string, stack: unknown): string => {
  // The plugin may have written the stack: nothing of it is taken but the numbers.
  const frames = typeof stack === "string" ? stack.matchAll(framePattern) : [];
  for (const [, file, place] of frames) if (file === `${plugin}.js`) return `${message} (${file}:${place})`;
  return message;
};

const framePattern = /(?<![\w.-])([\w.-]{1,100}):(\d{1,7}(?::\d{1,7})?)/g;

/** Whether people can be shown a text of a plugin as it is: besides line breaks it holds nothing that shows nothing or turns the text around it. */
export const isShown = (text: string): boolean => !hasUnprintable(text.replaceAll("\n", ""));

/**
 * Why a plugin could not be started: its package cannot be had (`away`), is not or no longer to be trusted (`distrust`),
 * may not be run on this server as it is set up (`refused`), or the plugin itself failed (`broken`).
 */
type StartFailureKind = "away" | "distrust" | "refused" | "broken";

/** A start that came to nothing; `message` is a sentence for admins. */
export class StartFailure extends Error {
  readonly kind: StartFailureKind;

  constructor(kind: StartFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StartFailure";
    this.kind = kind;
  }
}
