import { openLibc } from "#api/db/embedded/libc.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { PluginProgram } from "../../runtime.ts";
import { type Channel, createChannel } from "../channel.ts";
import { asProgram, asToChild, channelDescriptor, type FromChild, type Task } from "../messages.ts";
import { sandboxLimits } from "../sandbox-limits.ts";
import { createAllowance } from "../tasks.ts";
import { createVm, type Poison, ProgramError } from "../vm/create-vm.ts";
import { warmNatives } from "../vm/natives.ts";
import { interpreterFile } from "./interpreter-file.ts";
import { lockDown } from "./lock-down.ts";
import { type HostAnswers, type Session, SlowError, startSession } from "./session.ts";

/**
 * The process of one plugin: the server starts it as a hidden subcommand with its own process id, and communicates over
 * a descriptor. It gives up every right that it doesn't need before it gets the plugin's code, and ends with the
 * server.
 */
export const runPluginChild = async (parentPid: string): Promise<void> => {
  openLibc()?.dieWithParent();
  // The server may have ended before the kernel was told to watch it.
  if (process.ppid !== Number(parentPid)) process.exit(exitCodes.orphaned);
  // A terminal or a service manager signals the whole group: the server decides.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

  const module = new WebAssembly.Module(await Bun.file(interpreterFile).bytes());
  // What is loaded from files later could not be.
  warmNatives();
  await createVm(module, warmUp, noEvents);
  // Each plugin has such a process: what its start leaves behind is most of its memory.
  Bun.gc(true);

  const collector = createCollector(() => Bun.gc(true));
  let running: RunningProgram | null = null;
  const channel: Channel = await createChannel(channelDescriptor, {
    maxBodyBytes: Number.MAX_SAFE_INTEGER,
    onFrame: ({ head, body }) => {
      const message = asToChild(JSON.parse(head.toString()));
      const json = body.toString();
      if (message.type === "ping") {
        channel.send(
          JSON.stringify({ type: "pong", id: message.id, rssBytes: residentBytes() } satisfies FromChild),
        );
        collector.rest();
        return;
      }
      collector.passed(body.length);
      if (message.type === "start") running = runProgram(module, asProgram(JSON.parse(json)), send);
      else if (message.type === "run") running?.run(message.id, message.task, message.handler, json);
      else if (message.type === "answer") running?.answer(message.id, json === "" ? undefined : json);
      else running?.refuse(message.id, message.name, message.message);
    },
    onOversized: () => process.exit(exitCodes.orphaned),
    onEnd: (error) => {
      if (error !== undefined) console.error(String(error));
      process.exit(error === undefined ? exitCodes.orphaned : exitCodes.broken);
    },
  });
  const send = (message: FromChild, json?: string): void => {
    collector.passed(json?.length ?? 0);
    channel.send(JSON.stringify(message), json);
  };

  channel.open();
  send({ type: "ready", isolation: lockDown() });
};

/** On Linux the server asks the kernel instead, and this process can't open anything to read it from. */
const residentBytes = (): number => (process.platform === "linux" ? 0 : process.memoryUsage.rss());

const exitCodes = { orphaned: 71, broken: 70 } as const;

const warmUp = {
  name: "warm-up",
  version: "1.0.0",
  source: "export default { name: 'warm-up', version: '1.0.0', setup() {} }",
  permissions: [],
  settings: {},
  replica: "",
  limits: { memoryMB: pluginLimits.memoryMB, cpuMs: sandboxLimits.setupCpuMs, wallMs: pluginLimits.wallMs },
};

const nothing = (): void => {};
const noEvents = {
  onLog: nothing,
  onCall: nothing,
  onSuccess: nothing,
  onFailure: nothing,
  onExhausted: nothing,
  onPoisoned: nothing,
  isAwaited: () => true,
};

/** A plugin's program in its process. */
type RunningProgram = Pick<Session, "run" | "answer" | "refuse">;

/** Runs a program, in a new interpreter whenever one breaks, and sends the results. */
const runProgram = (
  module: WebAssembly.Module,
  program: PluginProgram,
  send: (message: FromChild, body?: string) => void,
): RunningProgram => {
  let { settings } = program;
  let session: Session | null = null;
  // Exists before the session, whose setup may call the host, and as long as an old one finishes its tasks.
  const open = new Map<number, HostAnswers>();
  let sessions = 0;
  // Messages without an interpreter: the server limits them.
  let later: (() => void)[] = [];
  const recoveries = createAllowance(sandboxLimits.recoveriesAMinute, 60_000);
  const allowances = {
    calls: createAllowance(pluginLimits.hostCallsASecond, 1000),
    callBytes: createAllowance(sandboxLimits.callBytesASecond, 1000),
    lines: createAllowance(pluginLimits.logLinesAMinute, 60_000),
  };

  const begin = async (
    told: (registration: string) => void,
    failed: (reason: string, isSlow: boolean) => void,
  ) => {
    sessions += 1;
    const number = sessions;
    try {
      session = await startSession(
        module,
        { ...program, settings },
        {
          ...{ number, send, allowances },
          onOpened: (answers) => void open.set(number, answers),
          onBroken: (poison) => recover(number, poison),
          onEnded: () => void open.delete(number),
        },
      );
      told(session.registration);
      const tasks = later;
      later = [];
      for (const task of tasks) task();
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      failed(error.message, error instanceof SlowError);
    }
  };

  const recover = (broken: number, { kind, reason, cause }: Poison): void => {
    session = null;
    // There is memory for one that finishes its tasks.
    for (const [number, answers] of open) if (number !== broken) answers.end();
    const handler = cause?.handler ?? null;
    if (!recoveries.take(1)) {
      send({ type: "broken", kind, reason, handler });
      return;
    }
    // Later, so that the broken interpreter is no longer on any stack, and its memory is freed before new memory is
    // allocated.
    setTimeout(() => {
      Bun.gc(true);
      void begin(
        (registration) => send({ type: "recovered", kind, reason, handler }, registration),
        (why) => send({ type: "broken", kind, reason: `${reason}; after that: ${why}`, handler }),
      );
    }, 0);
  };

  const run = (id: number, task: Task, handler: string, json: string): void => {
    if (session === null) later.push(() => run(id, task, handler, json));
    else {
      if (task === "settings") settings = asSettings(json);
      session.run(id, task, handler, json);
    }
  };

  void begin(
    (registration) => send({ type: "started" }, registration),
    (reason, isSlow) => send({ type: "refused", reason, isSlow }),
  );

  return {
    run,
    answer: (id, json) => {
      for (const answers of open.values()) answers.answer(id, json);
    },
    refuse: (id, name, message) => {
      for (const answers of open.values()) answers.refuse(id, name, message);
    },
  };
};

/** Settings as the server sent them. */
const asSettings = (json: string): PluginProgram["settings"] => JSON.parse(json) as PluginProgram["settings"];

/**
 * Collects garbage depending on what passes through the process. The runtime looks at the memory of the whole machine
 * and would let more accumulate than a plugin's process may use: an honest plugin would be ended for it.
 */
type Collector = {
  /** A message of that many bytes was received or sent. */
  passed(bytes: number): void;
  /** Called periodically: collects what is left once nothing has passed since the last time. */
  rest(): void;
};

/** `collect` runs between messages, never within one. */
export const createCollector = (collect: () => void): Collector => {
  let messages = 0;
  let bytes = 0;
  let seenMessages = 0;
  let isDue = false;
  let isWorthIt = false;

  const run = (): void => {
    messages = 0;
    bytes = 0;
    seenMessages = 0;
    isDue = false;
    isWorthIt = false;
    collect();
  };

  return {
    passed: (size) => {
      messages += 1;
      bytes += size;
      isWorthIt ||= messages >= few.messages || bytes >= few.bytes;
      if (isDue || (messages < sandboxLimits.uncollectedMessages && bytes < sandboxLimits.uncollectedBytes))
        return;
      isDue = true;
      setImmediate(run);
    },
    rest: () => {
      if (isWorthIt && !isDue && messages === seenMessages) run();
      seenMessages = messages;
    },
  };
};

// Less is not worth its own collection.
const few = { messages: sandboxLimits.uncollectedMessages / 8, bytes: sandboxLimits.uncollectedBytes / 8 };
