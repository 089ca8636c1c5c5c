import { join } from "node:path";
import { visitorsHappenings } from "#api/core/events.ts";
import { isExecutable } from "#api/db/bundled-files.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import {
  type HostFault,
  hostFaultNames,
  InvocationError,
  type PluginProgram,
  type PluginRuntime,
  type Registration,
  type RuntimeFailure,
  type RuntimeHost,
  SlowStartError,
} from "../runtime.ts";
import { type Channel, type ChannelEvents, createChannel, type Frame } from "./channel.ts";
import { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
import { channelDescriptor, type FromChild, pluginSubcommand, type Task, type ToChild } from "./messages.ts";
import { processMemory, processWork } from "./process-memory.ts";
import { isText, readFromChild, readObject, readRegistration } from "./read-from-child.ts";
import { sandboxLimits } from "./sandbox-limits.ts";
import { createAllowance, createTasks } from "./tasks.ts";

/** A plugin whose process runs and whose set-up is done. */
export type LaunchedPlugin = Pick<PluginRuntime, "registration" | "isolation" | "memoryBytes"> & {
  /** Has the process do something within `limitMs` by its own clock. Rejects with {@link InvocationError}. */
  run(task: Task, handler: string, json: string, limitMs: number): Promise<Json | undefined>;
  /** Ends the process, which is no failure. */
  end(): Promise<void>;
};

/**
 * Starts a plugin's process and its program in it. Nothing that the process says is believed before it was looked at:
 * what does not fit ends it as a violation. Rejects with an `Error` for admins.
 */
export const launch = async (
  command: PluginCommand,
  program: PluginProgram,
  host: RuntimeHost,
): Promise<LaunchedPlugin> => {
  if (Buffer.byteLength(program.source) > sandboxLimits.sourceBytes)
    throw new Error(`The backend is larger than ${sandboxLimits.sourceBytes / 1e6} MB`);
  const launched = Promise.withResolvers<Registration>();
  launched.promise.catch(() => {});
  let state: "booting" | "starting" | "running" | "ended" = "booting";
  let isolation: PluginRuntime["isolation"] = "process";
  let registered = "";
  let toldRssBytes: number | null = null;
  let heartbeat: Heartbeat | undefined;
  let lastTask = 0;
  let registration: Registration | null = null;
  const waiting = new Map<number, PromiseWithResolvers<Json | undefined> & { handler: string }>();
  const lines = createAllowance(pluginLimits.logLinesAMinute * slack, 60_000);
  const recoveries = createAllowance(sandboxLimits.recoveriesAMinute * slack, 60_000);
  const tasks = createTasks(() => end("hang", "It never reported the outcome of a call"));
  let child: PluginProcess | null = null;

  /** Whether a handler runs at a visitor's will: a route, or a listener for what every visitor can bring about. */
  const isCalled = (handler: string | null): boolean =>
    registration?.routes.some((route) => route.handler === handler) === true ||
    registration?.listeners.some(
      (listener) => listener.handler === handler && visitorsHappenings.includes(listener.event),
    ) === true;

  /** Ends the process for good; a plugin that is still starting has failed to start. */
  const end = (
    kind: RuntimeFailure["kind"],
    reason: string,
    { handler = null, isStarved = false }: { handler?: string | null; isStarved?: boolean } = {},
  ): void => {
    if (state === "ended") return;
    const wasRunning = state === "running";
    // Of a process that goes down nobody can tell which of its calls did it.
    const hasCaller = [handler, ...[...waiting.values()].map((task) => task.handler)].some(isCalled);
    leave(reason, "crashed", (called) => !isStarved && (handler === null || called === handler));
    const why = { kind, reason: reason + placeOf(registration, handler), isExcused: hasCaller || isStarved };
    if (wasRunning) host.failed({ ...why, hasRecovered: false });
    else launched.reject(new Error(reason));
  };

  /** Rejects what waits: what did it with `kind`, what only was there with `unavailable`. */
  const leave = (
    reason: string,
    kind: InvocationError["kind"],
    hasDoneIt: (handler: string | null) => boolean = () => true,
  ): void => {
    state = "ended";
    clearTimeout(tooSlow);
    heartbeat?.stop();
    tasks.clear();
    child?.channel.close();
    child?.kill();
    for (const { handler, reject } of waiting.values())
      reject(new InvocationError(hasDoneIt(handler) ? kind : "unavailable", reason));
    waiting.clear();
  };

  const violate = (what: string): void => end("violation", `Its process broke the rules: ${what}`);

  const send = (message: ToChild, body?: string): void => {
    child?.channel.send(JSON.stringify(message), body);
    if ((child?.channel.unreadBytes ?? 0) > sandboxLimits.unreadBytes)
      end("hang", "It did not read what it was sent");
  };

  const calls = createHostCalls(host, send);

  const onStarted = (body: unknown): Offence => {
    registration = readRegistration(body, program);
    if (registration === null) return "its registration is malformed";
    state = "running";
    clearTimeout(tooSlow);
    registered = JSON.stringify(registration);
    heartbeat = startHeartbeat({
      ping: (id) => send({ type: "ping", id }),
      residentBytes: () => processMemory(child?.pid ?? 0)?.residentBytes ?? toldRssBytes,
      work: () => processWork(child?.pid ?? 0),
      onVerdict: end,
    });
    launched.resolve(registration);
    return null;
  };

  const onRecovered = (
    { kind, reason, handler }: Extract<FromChild, { type: "recovered" }>,
    body: unknown,
  ): Offence => {
    if (!recoveries.take(1)) return "it recreated its interpreter too often";
    const again = readRegistration(body, program);
    if (JSON.stringify(again) !== registered) {
      // It may have good reasons, such as new settings; but nobody has looked at what it registered.
      end("crash", "It registered something else in a new interpreter", { handler });
      return null;
    }
    host.failed({
      ...{ kind, reason: reason + placeOf(registration, handler) },
      ...{ hasRecovered: true, isExcused: isCalled(handler) },
    });
    return null;
  };

  const settle = (id: number, how: (task: PromiseWithResolvers<Json | undefined>) => void): Offence => {
    const task = waiting.get(id);
    if (task === undefined) return "it responded to a call that was not made";
    waiting.delete(id);
    tasks.finish(id);
    how(task);
    return null;
  };

  /** What belongs to the start, and comes once. */
  const onStarting = (message: FromChild, body: unknown): Offence => {
    if (message.type === "ready" && state === "booting") {
      state = "starting";
      isolation = message.isolation;
      send({ type: "start" }, JSON.stringify(program));
      return null;
    }
    if (message.type === "started" && state === "starting") return onStarted(body);
    if (message.type !== "refused" || state !== "starting")
      return `the message ${message.type} came too early`;
    if (message.isSlow) launched.reject(new SlowStartError(message.reason));
    end("crash", message.reason);
    return null;
  };

  const onRunning = (message: FromChild, body: unknown): Offence => {
    if (message.type === "result") return settle(message.id, ({ resolve }) => resolve(asJson(body)));
    if (message.type === "failure") {
      const error = new InvocationError(message.kind, message.reason, { cause: message.stack });
      return settle(message.id, ({ reject }) => reject(error));
    }
    if (message.type === "recovered") return onRecovered(message, body);
    if (message.type === "pong") {
      toldRssBytes = message.rssBytes;
      return heartbeat?.onPong(message.id) ? null : "it responded to a call that was not made";
    }
    if (message.type !== "broken") return `the message ${message.type} came too late`;
    end(message.kind, message.reason, message);
    return null;
  };

  /** What the frame broke of the rules between server and process. */
  const receive = (frame: Frame): Offence => {
    const read = readFromChild(frame);
    if (read === null) return "a message is malformed";
    const { message, body } = read;
    if (message.type === "call" && state !== "booting")
      return calls.take(message, {
        ...{ args: body, sizeBytes: frame.body.length, hasCaller: isCalled(message.handler) },
      });
    if (message.type === "log" && state !== "booting") {
      if (!lines.take(1)) return "it wrote too many lines";
      host.log(message.level, message.message);
      return null;
    }
    return state === "running" ? onRunning(message, body) : onStarting(message, body);
  };

  // The process keeps the limits of a set-up itself: one that says nothing for so long did not get its turn.
  const tooSlow = setTimeout(() => {
    const reason = `Its process did not start within ${startMs} ms`;
    launched.reject(new SlowStartError(reason));
    end("hang", reason);
  }, startMs);
  child = await startPluginProcess(command, {
    maxBodyBytes: sandboxLimits.callBytes,
    onFrame: (frame) => {
      const offence = receive(frame);
      if (offence !== null) violate(offence);
    },
    onOversized: () => violate("a message is too large"),
    onEnd: (error) => {
      // Otherwise the process has ended or is about to, and tells of what; one that only hung up will be missed.
      if (error !== undefined) end("crash", `Its message could not be processed: ${error.message}`);
    },
  });
  const { pid, exited, channel } = child;
  void exited.then((reason) => end("crash", `Its process ended (${reason})`));
  channel.open();

  return {
    registration: await launched.promise,
    isolation,
    memoryBytes: () => processMemory(pid)?.privateBytes ?? toldRssBytes,
    run: (task, handler, json, limitMs) => {
      if (state !== "running") return Promise.reject(new InvocationError("unavailable", "It is not running"));
      lastTask += 1;
      const result = Promise.withResolvers<Json | undefined>();
      waiting.set(lastTask, { ...result, handler });
      // It may have to wait for a new interpreter first.
      tasks.add(lastTask, limitMs + pluginLimits.setupMs + sandboxLimits.lateMs);
      send({ type: "run", id: lastTask, task, handler }, json);
      return result.promise;
    },
    end: async () => {
      if (state !== "ended") leave("It was ended", "unavailable");
      await exited;
    },
  };
};

/** What a handler is, behind a sentence; nothing where nobody knows. */
const placeOf = (registration: Registration | null, handler: string | null): string => {
  const { routes = [], jobs = [], listeners = [] } = registration ?? {};
  const route = routes.find((one) => one.handler === handler);
  if (route !== undefined) return ` in ${route.method} ${route.path}`;
  const job = jobs.find((one) => one.handler === handler);
  if (job !== undefined) return ` in the job ${job.name}`;
  const listener = listeners.find((one) => one.handler === handler);
  return listener === undefined ? "" : ` in its listener for ${listener.event}`;
};

const startMs = sandboxLimits.bootMs + pluginLimits.setupMs;

/** It was parsed from JSON, or there was none. */
const asJson = (value: unknown): Json | undefined => value as Json | undefined;

// The process counts by its own clock; nothing honest comes near three times what it may send.
const slack = 3;

/** How a process broke the rules between it and the server, or `null`. */
type Offence = string | null;

/** Calls of the host that a plugin's process makes. */
type HostCalls = {
  /** Has the host do what is asked, and sends what comes of it. */
  take(
    call: Pick<HostCall, "id" | "op">,
    asked: { args: unknown; sizeBytes: number; hasCaller: boolean },
  ): Offence;
};

type HostCall = Extract<FromChild, { type: "call" }>;

/**
 * Answers calls of the host. The process keeps its plugin within the limits by itself, so that whoever is far beyond
 * them is not the plugin but a process that has been taken over.
 */
const createHostCalls = (host: RuntimeHost, send: (message: ToChild, body?: string) => void): HostCalls => {
  const open = new Set<number>();
  const calls = createAllowance(pluginLimits.hostCallsASecond * slack, 1000);
  const bytes = createAllowance(sandboxLimits.callBytesASecond * slack, 1000);

  const refuse = (id: number, { name, message }: HostFault): void =>
    send({ type: "fault", id, name, message });

  const answer = async (id: number, asking: () => ReturnType<RuntimeHost["call"]>): Promise<void> => {
    try {
      const json = JSON.stringify(await asking());
      if (json !== undefined && Buffer.byteLength(json) > sandboxLimits.answerBytes)
        throw { name: "LIMIT_EXCEEDED", message: "The answer is too large" } satisfies HostFault;
      send({ type: "answer", id }, json);
    } catch (error) {
      refuse(id, readFault(error));
    } finally {
      open.delete(id);
    }
  };

  return {
    take: ({ id, op }, { args, sizeBytes, hasCaller }) => {
      if (!Array.isArray(args) || open.has(id)) return "a call is malformed";
      if (!calls.take(1) || !bytes.take(sizeBytes)) return "it called the host too often";
      // Calls of an interpreter that was given up may still be under way beside those of the new one.
      if (open.size >= pluginLimits.hostCallsAtOnce)
        refuse(id, { name: "LIMIT_EXCEEDED", message: "Too many calls are open at the same time" });
      else {
        open.add(id);
        void answer(id, () => host.call(op, args, hasCaller));
      }
      return null;
    },
  };
};

/** What the host refused with; anything else is a fault of its own, of which plugins learn nothing. */
const readFault = (error: unknown): HostFault => {
  const { name, message } =
    error instanceof Error ? { name: error.name, message: error.message } : (readObject(error) ?? {});
  const known = hostFaultNames.find((one) => one === name);
  return known !== undefined && isText(message, maxMessage)
    ? { name: known, message }
    : { name: "FAILED", message: "The host could not do this" };
};

/** A plugin's process that has been started. */
type PluginProcess = {
  readonly pid: number;
  readonly channel: Channel;
  kill(): void;
  /** Resolves when it is gone, to what is known of the reason. */
  readonly exited: Promise<string>;
};

/** The command that becomes a plugin's process; its parent's number is put behind it. */
export type PluginCommand = readonly string[];

/** This program's own hidden subcommand. */
export const pluginCommand = (): PluginCommand =>
  isExecutable
    ? [process.execPath, pluginSubcommand]
    : [process.execPath, join(import.meta.dir, "child-entry.ts")];

/** Starts a plugin's process. It gets no environment, no folder of its own, and one descriptor to talk over. */
const startPluginProcess = async (command: PluginCommand, events: ChannelEvents): Promise<PluginProcess> => {
  const child = Bun.spawn([...command, String(process.pid)], {
    cwd: "/",
    env: {},
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const crashReason = readLastWords(child.stderr);
  const exited = child.exited.then(async (code) => {
    // Only what went wrong: around it the runtime prints a piece of our own code.
    const [words] = /^(?:[A-Za-z]*Error|error|panic)\b.{0,200}/m.exec(await crashReason) ?? [];
    return `${child.signalCode ?? `exit code ${code}`}${words ? `: ${words}` : ""}`;
  });
  const kill = (): void => child.kill("SIGKILL");
  const descriptor = child.stdio[channelDescriptor];
  if (typeof descriptor !== "number") {
    kill();
    throw new Error("The plugin's process could not be started");
  }
  return { pid: child.pid, channel: await createChannel(descriptor, events), kill, exited };
};

/** The end of what it printed; read all along, because a full pipe would stop it. */
const readLastWords = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let words = "";
  for await (const chunk of stream)
    words = (words + decoder.decode(chunk, { stream: true })).slice(-lastWordsLength);
  return words.trim();
};

const lastWordsLength = 2000;
const maxMessage = 2000;
