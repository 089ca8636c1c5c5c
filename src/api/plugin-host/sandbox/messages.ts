import type { HostOp, PluginProgram, RuntimeFailure } from "../runtime.ts";

/** First word of the command line with which the executable becomes the process of a plugin. */
export const pluginSubcommand = "__plugin";

/** The same for the process in which a plugin runs for a test of its author. */
export const kitSubcommand = "__plugin-kit";

/** Which descriptor of its process the line to the server is. */
export const channelDescriptor = 3;

/** What a plugin's process can be asked for; the text is JSON. */
export type Task = "invoke" | "settings" | "health" | "migrate" | "teardown";

/** Heads of messages to a plugin's process. What is JSON of any size is in the body. */
export type ToChild =
  /** The body is a {@link PluginProgram}. */
  | { type: "start" }
  /** The body is what the task works on; `handler` is for `invoke`. */
  | { type: "run"; id: number; task: Task; handler: string }
  /** The host's answer to a call; an empty body is `undefined`. */
  | { type: "answer"; id: number }
  /** The host's refusal of a call. */
  | { type: "fault"; id: number; name: string; message: string }
  | { type: "ping"; id: number };

/** What came of a task that has no result. */
export type TaskFailure = "threw" | "timeout" | "unavailable" | "too-large";

/** Heads of messages from a plugin's process. Whoever receives one reads it with care: the process may be hostile. */
export type FromChild =
  /** It has locked itself in, and waits for its program. */
  | { type: "ready"; isolation: "process" | "process+seccomp" }
  /** The body is a `Registration`. */
  | { type: "started" }
  /** `isSlow`: the machine or the host had no time for it. */
  | { type: "refused"; reason: string; isSlow: boolean }
  /** An empty body is `undefined`. */
  | { type: "result"; id: number }
  | { type: "failure"; id: number; kind: TaskFailure; reason: string; stack: string }
  /** The body holds the arguments as an array; `handler` is the one that asks. */
  | { type: "call"; id: number; op: HostOp; handler: string | null }
  | { type: "log"; level: "debug" | "info" | "warn" | "error"; message: string }
  | { type: "pong"; id: number; rssBytes: number }
  /** The interpreter was made anew; `handler` is the one that broke it. The body is a `Registration`. */
  | { type: "recovered"; kind: RuntimeFailure["kind"]; reason: string; handler: string | null }
  /** The interpreter could not be made anew. */
  | { type: "broken"; kind: RuntimeFailure["kind"]; reason: string; handler: string | null };

/** Trusts what comes from the server, over a line that nobody else can write to. */
export const asToChild = (message: unknown): ToChild => message as ToChild;

/** See {@link asToChild}. */
export const asProgram = (message: unknown): PluginProgram => message as PluginProgram;
