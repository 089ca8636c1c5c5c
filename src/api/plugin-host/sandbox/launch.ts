import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import {
  InvocationError,
  type PluginProgram,
  type PluginRuntime,
  type Registration,
  type RuntimeFailure,
  type RuntimeHost,
} from "../runtime.ts";
import { createAllowance } from "./allowance.ts";
import { type PluginCommand, type PluginProcess, startPluginProcess } from "./child-process.ts";
import type { Frame } from "./frames.ts";
import { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
import { createHostCalls, type Offence } from "./host-calls.ts";
import type { FromChild, Task, ToChild } from "./messages.ts";
import { processMemory } from "./process-memory.ts";
import { readFromChild } from "./read-from-child.ts";
import { readRegistration } from "./read-registration.ts";
import { sandboxLimits } from "./sandbox-limits.ts";
import { createTasks } from "./tasks.ts";

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
  const waiting = new Map<number, PromiseWithResolvers<Json | undefined>>();
  const lines = createAllowance(pluginLimits.logLinesAMinute * slack, 60_000);
  const recoveries = createAllowance(sandboxLimits.recoveriesAMinute * slack, 60_000);
  const tasks = createTasks(() => end("hang", "It never told what became of a call"));
  let child: PluginProcess | null = null;

  /** Ends the process for good; a plugin that is still starting has failed to start. */
  const end = (kind: RuntimeFailure["kind"], reason: string): void => {
    if (state === "ended") return;
    const wasRunning = state === "running";
    leave(reason);
    if (wasRunning) host.failed({ kind, reason, hasRecovered: false });
    else launched.reject(new Error(reason));
  };

  const leave = (reason: string): void => {
    state = "ended";
    clearTimeout(tooSlow);
    heartbeat?.stop();
    tasks.clear();
    child?.channel.close();
    child?.kill();
    for (const { reject } of waiting.values()) reject(new InvocationError("unavailable", reason));
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
    const registration = readRegistration(body, program);
    if (registration === null) return "its registration has not the form of one";
    state = "running";
    clearTimeout(tooSlow);
    registered = JSON.stringify(registration);
    heartbeat = startHeartbeat({
      ping: (id) => send({ type: "ping", id }),
      residentBytes: () => processMemory(child?.pid ?? 0)?.residentBytes ?? toldRssBytes,
      onVerdict: end,
    });
    launched.resolve(registration);
    return null;
  };

  const onRecovered = (kind: RuntimeFailure["kind"], reason: string, body: unknown): Offence => {
    if (!recoveries.take(1)) return "it made its interpreter anew too often";
    const again = readRegistration(body, program);
    if (JSON.stringify(again) !== registered) return "it registered something else the second time";
    host.failed({ kind, reason, hasRecovered: true });
    return null;
  };

  const settle = (id: number, how: (task: PromiseWithResolvers<Json | undefined>) => void): Offence => {
    const task = waiting.get(id);
    if (task === undefined) return "it answered what it was not asked";
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
    end("crash", message.reason);
    return null;
  };

  const onRunning = (message: FromChild, body: unknown): Offence => {
    if (message.type === "result") return settle(message.id, ({ resolve }) => resolve(asJson(body)));
    if (message.type === "failure") {
      const error = new InvocationError(message.kind, message.reason, { cause: message.stack });
      return settle(message.id, ({ reject }) => reject(error));
    }
    if (message.type === "recovered") return onRecovered(message.kind, message.reason, body);
    if (message.type === "pong") {
      toldRssBytes = message.rssBytes;
      return heartbeat?.onPong(message.id) ? null : "it answered what it was not asked";
    }
    if (message.type !== "broken") return `the message ${message.type} came too late`;
    end(message.kind, message.reason);
    return null;
  };

  /** What the frame broke of the rules between server and process. */
  const receive = (frame: Frame): Offence => {
    const read = readFromChild(frame);
    if (read === null) return "a message has not the form of one";
    const { message, body } = read;
    if (message.type === "call" && state !== "booting")
      return calls.take(message.id, message.op, body, frame.body.length);
    if (message.type === "log" && state !== "booting") {
      if (!lines.take(1)) return "it wrote too many lines";
      host.log(message.level, message.message);
      return null;
    }
    return state === "running" ? onRunning(message, body) : onStarting(message, body);
  };

  const tooSlow = setTimeout(() => {
    end("hang", state === "booting" ? "Its process did not start in time" : "Its setup took too long");
  }, sandboxLimits.bootMs + pluginLimits.setupMs);
  child = await startPluginProcess(command, {
    maxBodyBytes: sandboxLimits.callBytes,
    onFrame: (frame) => {
      const offence = receive(frame);
      if (offence !== null) violate(offence);
    },
    onOversized: () => violate("a message is too large"),
    onEnd: (error) => {
      // Otherwise the process has ended or is about to, and tells of what; one that only hung up will be missed.
      if (error !== undefined) end("crash", `What it said could not be taken in: ${error.message}`);
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
      waiting.set(lastTask, result);
      // It may have to wait for a new interpreter first.
      tasks.add(lastTask, limitMs + pluginLimits.setupMs + sandboxLimits.lateMs);
      send({ type: "run", id: lastTask, task, handler }, json);
      return result.promise;
    },
    end: async () => {
      if (state !== "ended") leave("It was ended");
      await exited;
    },
  };
};

/** It was parsed from JSON, or there was none. */
const asJson = (value: unknown): Json | undefined => value as Json | undefined;

// The process counts by its own clock; nothing honest comes near three times what it may send.
const slack = 3;
