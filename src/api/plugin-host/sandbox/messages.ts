import type { HostOp, PluginProgram, RuntimeFailure } from "../runtime.ts";

/** First argument with which the executable becomes the process of a plugin. */
export const pluginSubcommand = "__plugin";

/** The same for the process in which a plugin runs for its author's test. */
export const kitSubcommand = "__plugin-kit";

/** Number of the descriptor for the connection to the server. */
export const channelDescriptor = 3;

/** Tasks of a plugin's process; the text is JSON. */
export type Task = "invoke" | "settings" | "health" | "migrate" | "teardown";

/** Heads of messages to a plugin's process. JSON of any size is in the body. */
export type ToChild =
  /** The body is a {@link PluginProgram}. */
  | { type: "start" }
  /** The body is the task's input; `handler` is for `invoke`. */
  | { type: "run"; id: number; task: Task; handler: string }
  /** The host's response to a call; an empty body is `undefined`. */
  | { type: "answer"; id: number }
  /** The host's refusal of a call. */
  | { type: "fault"; id: number; name: string; message: string }
  | { type: "ping"; id: number };

/** The outcome of a task without a result. */
export type TaskFailure = "threw" | "timeout" | "unavailable" | "too-large";

/** Heads of messages from a plugin's process. The receiver checks them: the process may be hostile. */
export type FromChild =
  /** It has locked itself down, and waits for its program. */
  | { type: "ready"; isolation: "process" | "process+seccomp" }
  /** The body is a `Registration`. */
  | { type: "started" }
  /** `isSlow`: the machine or the host had no time for it. */
  | { type: "refused"; reason: string; isSlow: boolean }
  /** An empty body is `undefined`. */
  | { type: "result"; id: number }
  | { type: "failure"; id: number; kind: TaskFailure; reason: string; stack: string }
  /** The body contains the arguments as an array; `handler` is the caller. */
  | { type: "call"; id: number; op: HostOp; handler: string | null }
  | { type: "log"; level: "debug" | "info" | "warn" | "error"; message: string }
  | { type: "pong"; id: number; rssBytes: number }
  /** The interpreter was replaced; `handler` is the one that broke it. The body is a `Registration`. */
  | { type: "recovered"; kind: RuntimeFailure["kind"]; reason: string; handler: string | null }
  /** The interpreter could not be replaced. */
  | { type: "broken"; kind: RuntimeFailure["kind"]; reason: string; handler: string | null };

/** Trusts messages of the server, over a connection that no one else can write to. */
export const asToChild = (message: unknown): ToChild => message as ToChild;

/** See {@link asToChild}. */
export const asProgram = (message: unknown): PluginProgram => message as PluginProgram;
