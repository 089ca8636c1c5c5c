import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { withPlace } from "../../fault-text.ts";
import type { HostOp, PluginProgram } from "../../runtime.ts";
import type { Allowance } from "../allowance.ts";
import { isDeeperThan } from "../json-depth.ts";
import type { FromChild, Task, TaskFailure } from "../messages.ts";
import { sandboxLimits } from "../sandbox-limits.ts";
import { createTasks } from "../tasks.ts";
import { createVm, type Poison, type Vm } from "../vm/create-vm.ts";
import { ProgramError } from "../vm/evaluate.ts";

/** A plugin's program in one interpreter, from its set-up until that breaks. */
export type Session = {
  /** What it registered, as JSON. */
  readonly registration: string;
  run(id: number, task: Task, handler: string, json: string): void;
  /** Settles a call of the host; one of an earlier session is passed over. */
  answer(id: number, json: string | undefined): void;
  refuse(id: number, name: string, message: string): void;
};

export type SessionTools = {
  /** Counts up: calls of an earlier session may still be under way. */
  number: number;
  send(message: FromChild, body?: string): void;
  /** What the sessions of one process may use together. */
  allowances: { calls: Allowance; callBytes: Allowance; lines: Allowance };
  /** Called once, with every task finished. */
  onPoisoned(poison: Poison): void;
  /** Gets what settles calls of the host, before the set-up can make one. */
  onOpened(settling: Pick<Session, "answer" | "refuse">): void;
};

/** Starts a session. Throws {@link ProgramError} when the program cannot be run or its set-up fails. */
export const startSession = async (
  module: WebAssembly.Module,
  program: PluginProgram,
  { number, send, allowances, onPoisoned, onOpened }: SessionTools,
): Promise<Session> => {
  const setup = Promise.withResolvers<string>();
  // It may fail before anybody waits for it.
  setup.promise.catch(() => {});
  const firstCall = number * callsASession;
  let vm: Vm | null = null;
  let isUp = false;

  const fail = (id: number, kind: TaskFailure, reason: string, stack = ""): void => {
    if (!tasks.finish(id)) return;
    if (id === setupTask) setup.reject(new ProgramError(withPlace(program.name, reason, stack)));
    else send({ type: "failure", id, kind, reason, stack });
  };

  const tasks = createTasks((id) => {
    fail(id, "timeout", id === setupTask ? "Its setup took too long" : "It did not answer in time");
    // Who waits for the host has nothing to do; who has something to do now would do it for ever.
    if (vm?.hasWork()) vm.poison({ kind: "cpu", reason: "It was still computing after its deadline" });
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
  };

  const onCall = (id: number, op: string, args: string): void => {
    const refuse = (message: string, afterMs: number): void => {
      setTimeout(() => vm?.enter("refuse", id, JSON.stringify(["LIMIT_EXCEEDED", message])), afterMs);
    };
    const bytes = Buffer.from(args);
    if (bytes.length > sandboxLimits.callBytes || isDeeperThan(bytes, sandboxLimits.jsonDepth))
      refuse(`The arguments of ${op} are too large or nested too deeply`, 1);
    else if (!allowances.calls.take(1) || !allowances.callBytes.take(bytes.length))
      // Only when the time is over: a plugin that tries again at once would never let the process rest.
      refuse("The plugin called the host too often", allowances.calls.restMs());
    else send({ type: "call", id: firstCall + id, op: asHostOp(op) }, args);
  };

  vm = await createVm(module, program, {
    onSuccess,
    onCall,
    onFailure: (id, json) => {
      const [reason, stack] = readFailure(json);
      if (stack === undefined) fail(id, "too-large", "What it returned is too large");
      else fail(id, "threw", reason, stack);
    },
    onInterrupted: (id) => {
      const limitMs = id === setupTask ? sandboxLimits.setupCpuMs : program.limits.cpuMs;
      fail(id, "timeout", `It used more than ${limitMs} ms of processor time at once`);
    },
    onLog: (level, message) => {
      if (!allowances.lines.take(1)) return;
      const isKnown = level === "debug" || level === "warn" || level === "error";
      const line = message.slice(0, pluginLimits.logLineLength);
      send({ type: "log", level: isKnown ? level : "info", message: line });
    },
    onPoisoned: (poison) => {
      for (const id of tasks.open()) fail(id, "unavailable", poison.reason);
      if (isUp) onPoisoned(poison);
    },
    isAwaited: () => tasks.count > 0,
  });

  tasks.add(setupTask, pluginLimits.setupMs);
  const session = sessionOf(vm, tasks.add, program.limits.wallMs, firstCall);
  onOpened(session);
  vm.enter("start", setupTask);
  try {
    const registration = await setup.promise;
    isUp = true;
    return { registration, ...session };
  } catch (error) {
    // Its timers would run on.
    vm.poison({ kind: "crash", reason: "Its setup failed" });
    throw error;
  }
};

const sessionOf = (
  vm: Vm,
  addTask: (id: number, limitMs: number) => void,
  wallMs: number,
  firstCall: number,
): Omit<Session, "registration"> => {
  const settle = (what: "answer" | "refuse", id: number, json: string | undefined): void => {
    const own = id - firstCall;
    if (own > 0 && own < callsASession) vm.enter(what, own, json);
  };
  return {
    run: (id, task, handler, json) => {
      addTask(id, task === "migrate" ? sandboxLimits.migrateMs : wallMs);
      if (task === "invoke") vm.enter("invoke", id, handler, json);
      else vm.enter("run", id, task === "settings" ? "setSettings" : task, json);
    },
    answer: (id, json) => settle("answer", id, json),
    refuse: (id, name, message) => settle("refuse", id, JSON.stringify([name, message])),
  };
};

/** A reason and a stack, as the interpreter wrote them; only the reason when there was no stack to speak of. */
const readFailure = (json: string): [string, string | undefined] => {
  const said: Json = JSON.parse(json);
  const [reason, stack] = Array.isArray(said) ? said : [said];
  return [String(reason), stack === undefined ? undefined : String(stack)];
};

/** The facade asks for nothing else; if it did, the server would tell. */
const asHostOp = (op: string): HostOp => op as HostOp;

/** Tasks of the server count up from 1. */
const setupTask = 0;
const callsASession = 1e9;
