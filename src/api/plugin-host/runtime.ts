import { hasUnprintable } from "#contract/account-rules.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import type { Permission } from "#contract/plugins.ts";
import type { CoreManager, RequestInspector, ResponseShaper } from "#plugins/sdk/native-types.ts";
import type { AdminPanel, Health, Json, Method, TeardownReason } from "#plugins/sdk/types.ts";

/** One version of a plugin, ready to run; everything in it has been verified. */
export type PluginProgram = {
  name: string;
  version: string;
  /** The backend's bundle: one ES module without imports. */
  source: string;
  /** Names of the granted permissions. */
  permissions: readonly string[];
  settings: Readonly<Record<string, Json>>;
  replica: string;
  /** At most the host's limits: see `pluginLimits`. */
  limits: RuntimeLimits;
};

/** The resource limits of one plugin. */
export type RuntimeLimits = { memoryMB: number; cpuMs: number; wallMs: number };

/**
 * Operations that plugins request from the host, as `ctx` names them. Arguments and results are JSON; `undefined` means
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

/** Why a host call failed, for the plugin's author: becomes an `Error` with this `name` in the plugin. */
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

/** What a plugin's route can require of a session. */
export const routeProofs = ["none", "recent", "factor"] as const;
export type RouteProof = (typeof routeProofs)[number];

/** A route as the plugin registered it, unchecked. */
export type RegisteredRoute = {
  handler: string;
  method: Method;
  path: string;
  access: "admin" | "user" | "public";
  /** `null` for the default of its access and method. */
  proof: RouteProof | null;
  /** Names of headers that it wants in addition to the default ones. */
  headers: string[];
  body: Json;
  query: Json;
  params: Json;
  response: Json;
  answers: Json;
  summary: string | null;
  description: string | null;
};

/** What a plugin registered in its setup. A `handler` is the name to invoke it by. */
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

/** What a runtime needs from the host. */
export type RuntimeHost = {
  /**
   * Executes what the plugin requests, if it is allowed; `hasCaller` if a route handler requests it. Rejects with a
   * {@link HostFault}.
   */
  call(op: HostOp, args: Json[], hasCaller?: boolean): Promise<Json | undefined>;
  log(level: "debug" | "info" | "warn" | "error", message: string): void;
  /**
   * The runtime is gone, or its interpreter was replaced (`hasRecovered`, with what it registered this time).
   * `violation`: it broke the rules between host and plugin, and must not be restarted automatically.
   */
  failed(failure: RuntimeFailure): void;
};

/**
 * Why a runtime failed; `reason` is a sentence for admins. `isExcused`: it failed during calls of its routes, so that
 * callers could cause it again, or the machine had no time for it.
 */
export type RuntimeFailure = {
  kind: "crash" | "hang" | "memory" | "cpu" | "violation";
  reason: string;
  hasRecovered: boolean;
  isExcused?: boolean;
};

/** Why an invocation has no result; `crashed`: the runtime went down with it. */
export class InvocationError extends Error {
  readonly kind: "threw" | "timeout" | "crashed" | "unavailable" | "too-many" | "too-large";
  constructor(kind: InvocationError["kind"], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "InvocationError";
    this.kind = kind;
  }
}

/** A start that took too long because the machine, or the host, had no time for it, which is not the plugin's fault. */
export class SlowStartError extends Error {}

/** What only plugins inside the server can register. */
export type NativeExtras = {
  /** Get each request before everything else, in order; the first response counts. */
  before: readonly ((
    request: Request,
    facts: { ip: string },
  ) => Response | undefined | Promise<Response | undefined>)[];
  /** Handles requests that match none of the plugin's routes; `null` if there is no such handler. */
  mount: ((request: Request) => Response | Promise<Response>) | null;
  /** `null` if it has none, as with the next three. */
  inspector: RequestInspector | null;
  shaper: ResponseShaper | null;
  coreManager: CoreManager | null;
  onSignal: ((topic: string | null) => void) | null;
};

/** A running plugin, inside the server or in its own process. */
export type PluginRuntime = {
  readonly registration: Registration;
  /** Its isolation, for its page: `native`, `process`, or `process+seccomp`. */
  readonly isolation: "native" | "process" | "process+seccomp";
  /** Only for plugins inside the server. */
  readonly extras?: NativeExtras;
  /** Private memory of its process in bytes; `null` inside the server. */
  memoryBytes(): number | null;
  /** Runs a handler. Rejects with {@link InvocationError}. `undefined` is returned as `undefined`. */
  invoke(handler: string, payload: Json): Promise<Json | undefined>;
  /** Passes new settings, and runs their listeners. */
  setSettings(settings: Readonly<Record<string, Json>>): Promise<void>;
  /** Result of the plugin's own check; healthy if it has none. Rejects with {@link InvocationError}. */
  health(): Promise<Health>;
  migrate(from: string): Promise<void>;
  /** Gives the plugin two seconds to clean up, then ends it. Never throws; can be called twice. */
  stop(reason: TeardownReason): Promise<void>;
};

/** Starts a program: resolves once its setup is done. Rejects with an `Error` that tells admins why not. */
export type StartRuntime = (program: PluginProgram, host: RuntimeHost) => Promise<PluginRuntime>;

/** A plugin that runs on this server, with its grants. */
export type LivePlugin = {
  manifest: Manifest;
  version: string;
  /** SHA-256 of its package, in hexadecimal digits. */
  sha256: string;
  runtime: PluginRuntime;
  granted: readonly Permission[];
};

/** What others reach of a running plugin, such as its routes, jobs or listeners. None of it may throw. */
export type PluginDoor = {
  /** Opens it, or atomically replaces what was opened before. */
  open(live: LivePlugin): void;
  /** The plugin is enabled, but not running at the moment. */
  suspend(name: string): void;
  /** The plugin is disabled. */
  close(name: string): void;
};

/** The backend of a plugin without one: healthy, and does nothing. */
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

/** What a plugin's function threw, for its log: the message, and its location in the bundle, if known. */
export const faultText = (plugin: string, error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: null };
  return withPlace(plugin, message, cause);
};

/** A message with the first location in the plugin's bundle from a stack of the interpreter. */
export const withPlace = (plugin: string, message: string, stack: unknown): string => {
  // The plugin may have written the stack: only the numbers are used.
  const frames = typeof stack === "string" ? stack.matchAll(framePattern) : [];
  for (const [, file, place] of frames) if (file === `${plugin}.js`) return `${message} (${file}:${place})`;
  return message;
};

const framePattern = /(?<![\w.-])([\w.-]{1,100}):(\d{1,7}(?::\d{1,7})?)/g;

/**
 * Whether a plugin's text can be displayed as it is: besides line breaks it has no invisible characters and none that
 * reorder the text.
 */
export const isShown = (text: string): boolean => !hasUnprintable(text.replaceAll("\n", ""));

/**
 * Why a plugin could not be started: its package is unavailable (`away`), is not or no longer trusted (`distrust`), may
 * not run on this server with its configuration (`refused`), or the plugin itself failed (`broken`).
 */
type StartFailureKind = "away" | "distrust" | "refused" | "broken";

/** A failed start; `message` is a sentence for admins. */
export class StartFailure extends Error {
  readonly kind: StartFailureKind;

  constructor(kind: StartFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StartFailure";
    this.kind = kind;
  }
}
