import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { type HostOp, type PluginProgram, withPlace } from "../../runtime.ts";
import type { FromChild, Task, TaskFailure } from "../messages.ts";
import { isDeeperThan, sandboxLimits } from "../sandbox-limits.ts";
import { type Allowance, createTasks } from "../tasks.ts";
import { createVm, type Poison, ProgramError, type Vm, type VmEvents } from "../vm/create-vm.ts";

/** A plugin's program in one interpreter, from its setup until that breaks or has finished its tasks. */
export type Session = HostAnswers & {
  /** What it registered, as JSON. */
  readonly registration: string;
  run(id: number, task: Task, handler: string, json: string): void;
};

/** Takes the host's responses to calls of one session; those of others are ignored. */
export type HostAnswers = {
  answer(id: number, json: string | undefined): void;
  refuse(id: number, name: string, message: string): void;
  /** Ends the session, and everything that is still open. */
  end(): void;
};

export type SessionTools = {
  /** Increases: calls of an earlier session may still be running. */
  number: number;
  send(message: FromChild, body?: string): void;
  /** Resources that the sessions of one process share. */
  allowances: { calls: Allowance; callBytes: Allowance; lines: Allowance };
  /** Called once: the session takes no more tasks. Running ones may still finish. */
  onBroken(poison: Poison): void;
  /** Called once: nothing of it is left. */
  onEnded(): void;
  /** Gets the receiver of the host's responses, before the setup can call the host. */
  onOpened(answers: HostAnswers): void;
};

/** Starts a session. Throws {@link ProgramError} if the program can't be run or its setup fails. */
export const startSession = async (
  module: WebAssembly.Module,
  program: PluginProgram,
  { number, send, allowances, onBroken, onEnded, onOpened }: SessionTools,
): Promise<Session> => {
  const setup = Promise.withResolvers<string>();
  // It may fail before it is awaited.
  setup.promise.catch(() => {});
  const firstCall = number * callsASession;
  let vm: Vm | null = null;
  let state: "setting-up" | "up" | "leaving" = "setting-up";
  let openCalls = 0;
  let exhaustions = 0;
  const clock = watchClock();

  /** Takes no more tasks. Tasks other than the stopped one did not cause this: they may finish. */
  const leave = (poison: Poison): void => {
    if (state !== "up") return;
    state = "leaving";
    onBroken(poison);
  };
  const endWhenDone = (): void => {
    if (state === "leaving" && tasks.count === 0) vm?.poison(over);
  };

  const fail = (id: number, kind: TaskFailure, reason: string, stack = ""): void => {
    if (!tasks.finish(id)) return;
    if (id === setupTask) setup.reject(new ProgramError(withPlace(program.name, reason, stack)));
    else send({ type: "failure", id, kind, reason, stack });
    endWhenDone();
  };

  const tasks = createTasks((id) => {
    const { wallMs } = program.limits;
    if (id !== setupTask && vm?.isQueued(id))
      fail(id, "unavailable", `It got no CPU time within ${wallMs} ms`);
    else if (id !== setupTask) fail(id, "timeout", `It did not respond within ${wallMs} ms`);
    // It waits for the host, or got no CPU time: neither is its fault.
    else if (openCalls > 0 || clock.lateMs() > slowMs) setup.reject(new SlowError(setupTooLong));
    else fail(id, "timeout", setupTooLong);
  });

  const onSuccess = (id: number, json = ""): void => {
    const most = id === setupTask ? sandboxLimits.registrationBytes : sandboxLimits.invocationBytes;
    const bytes = Buffer.from(json);
    if (bytes.length > most) fail(id, "too-large", "What it returned is too large");
    else if (isDeeperThan(bytes, sandboxLimits.jsonDepth))
      fail(id, "too-large", "What it returned is nested too deeply");
    else if (!tasks.finish(id)) return;
    else if (id === setupTask) setup.resolve(json);
    else send({ type: "result", id }, json);
    endWhenDone();
  };

  const onCall: VmEvents["onCall"] = (id, op, args, { handler }) => {
    const refuse = (message: string, afterMs: number): void => {
      setTimeout(() => vm?.enter("refuse", id, JSON.stringify(["LIMIT_EXCEEDED", message])), afterMs);
    };
    const bytes = Buffer.from(args);
    if (bytes.length > sandboxLimits.callBytes || isDeeperThan(bytes, sandboxLimits.jsonDepth))
      refuse(`The arguments of ${op} are too large or nested too deeply`, 1);
    else if (!allowances.calls.take(1) || !allowances.callBytes.take(bytes.length))
      // Only when the time is over: a plugin that retries immediately would never let the process rest.
      refuse("The plugin called the host too often", allowances.calls.restMs());
    else {
      openCalls += 1;
      send({ type: "call", id: firstCall + id, op: asHostOp(op), handler }, args);
    }
  };

  vm = await createVm(module, program, {
    onSuccess,
    onCall,
    onFailure: (id, json) => {
      const [reason, stack] = readFailure(json);
      if (stack === undefined) fail(id, "too-large", "What it returned is too large");
      else fail(id, "threw", reason, stack);
    },
    onExhausted: (failure) => {
      exhaustions += 1;
      // While it is ending, stopped code may continue in promises that share the CPU with all others.
      if (state !== "leaving") fail(failure.cause.task, "timeout", failure.reason);
      else if (exhaustions > sandboxLimits.exhaustionsWhileLeaving) vm?.poison(failure);
      leave(failure);
      endWhenDone();
    },
    onLog: (level, message) => {
      if (!allowances.lines.take(1)) return;
      const isKnown = level === "debug" || level === "warn" || level === "error";
      const line = message.slice(0, pluginLimits.logLineLength);
      send({ type: "log", level: isKnown ? level : "info", message: line });
    },
    onPoisoned: (poison) => {
      clock.stop();
      if (poison.cause !== undefined) fail(poison.cause.task, "timeout", poison.reason);
      for (const id of tasks.open()) fail(id, "unavailable", poison.reason);
      leave(poison);
      onEnded();
    },
    isAwaited: () => tasks.count > 0,
  });

  tasks.add(setupTask, pluginLimits.setupMs);
  const { run, ...answers } = sessionOf(vm, {
    ...{ addTask: tasks.add, wallMs: program.limits.wallMs, firstCall },
    answered: () => {
      openCalls -= 1;
    },
  });
  onOpened(answers);
  vm.enter("start", setupTask);
  try {
    const registration = await setup.promise;
    state = "up";
    return { registration, run, ...answers };
  } catch (error) {
    // Its timers would run on.
    vm.poison(over);
    throw error;
  } finally {
    clock.stop();
  }
};

/** The machine or the host had no time for it: only trying again later helps. */
export class SlowError extends ProgramError {}

/** The total delay of this process's timers, apart from its own work. */
const watchClock = () => {
  const workedFrom = process.threadCpuUsage();
  let late = 0;
  let dueAt = performance.now() + clockTickMs;
  const timer = setInterval(() => {
    const now = performance.now();
    late += Math.max(0, now - dueAt);
    dueAt = now + clockTickMs;
  }, clockTickMs);
  return {
    lateMs: () => {
      const { user, system } = process.threadCpuUsage();
      const workedMs = (user + system - workedFrom.user - workedFrom.system) / 1000;
      return late + Math.max(0, performance.now() - dueAt) - workedMs;
    },
    stop: () => clearInterval(timer),
  };
};

type SessionParts = {
  addTask(id: number, limitMs: number): void;
  wallMs: number;
  firstCall: number;
  answered(): void;
};

const sessionOf = (
  vm: Vm,
  { addTask, wallMs, firstCall, answered }: SessionParts,
): Omit<Session, "registration"> => {
  const settle = (what: "answer" | "refuse", id: number, json: string | undefined): void => {
    const own = id - firstCall;
    if (own <= 0 || own >= callsASession) return;
    answered();
    vm.enter(what, own, json);
  };
  return {
    run: (id, task, handler, json) => {
      addTask(id, task === "migrate" ? sandboxLimits.migrateMs : wallMs);
      if (task === "invoke") vm.enter("invoke", id, handler, json);
      else vm.enter("run", id, task === "settings" ? "setSettings" : task, json);
    },
    answer: (id, json) => settle("answer", id, json),
    refuse: (id, name, message) => settle("refuse", id, JSON.stringify([name, message])),
    end: () => vm.poison(over),
  };
};

/** A reason and a stack, as the interpreter wrote them; only the reason if there was no useful stack. */
const readFailure = (json: string): [string, string | undefined] => {
  const said: Json = JSON.parse(json);
  const [reason, stack] = Array.isArray(said) ? said : [said];
  return [String(reason), stack === undefined ? undefined : String(stack)];
};

/** The facade calls nothing else; if it did, the server would notice. */
const asHostOp = (op: string): HostOp => op as HostOp;

/** Tasks of the server count up from 1. */
const setupTask = 0;
const setupTooLong = `Its setup took longer than ${pluginLimits.setupMs} ms`;
const over: Poison = { kind: "crash", reason: "It was ended" };
const clockTickMs = 50;
/** Share of a setup's time: a machine that takes more than this was too busy. */
const slowMs = pluginLimits.setupMs / 5;
const callsASession = 1e9;
