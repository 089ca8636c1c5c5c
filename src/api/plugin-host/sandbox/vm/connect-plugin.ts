import type { Json } from "#plugins/sdk/types.ts";
import type { createFacade, FacadeProgram } from "../../facade.ts";
import type { NativesInVm } from "./natives.ts";

/** What the process calls in the interpreter. None of these throws, nor returns: results go to natives. */
export type PluginInVm = {
  start(id: number, definition: unknown): void;
  invoke(id: number, handler: string, payload: string): void;
  /** `task` is another function of the facade; its argument is JSON. */
  run(id: number, task: "setSettings" | "health" | "migrate" | "teardown", arg: string): void;
  /** Settles a host call: with JSON, with nothing for `undefined`, or with a JSON array of a fault's name and message. */
  answer(id: number, json?: string): void;
  refuse(id: number, fault: string): void;
};

/** Limits on what crosses; characters. */
export type CrossingLimits = { call: number; result: number; text: number; calls: number };

/**
 * Connects the facade, plugin and process. The source text of this function is evaluated in the interpreter: it uses
 * nothing from outside itself.
 */
export const connectPlugin = (
  natives: NativesInVm,
  create: typeof createFacade,
  program: FacadeProgram,
  most: CrossingLimits,
): PluginInVm => {
  const { parse, stringify } = JSON;
  type Settle = { resolve: (value: Json | undefined) => void; reject: (fault: unknown) => void };
  const calls = new Map<number, Settle>();
  let lastCall = 0;

  const fault = (name: string, message: string) => ({ name, message });

  const facade = create(
    {
      call: (op, args) =>
        new Promise((resolve, reject) => {
          if (calls.size >= most.calls)
            throw fault("LIMIT_EXCEEDED", `A plugin has at most ${most.calls} calls open at the same time`);
          const json = stringify(args);
          if (json.length > most.call) throw fault("LIMIT_EXCEEDED", `The arguments of ${op} are too large`);
          lastCall += 1;
          calls.set(lastCall, { resolve, reject });
          natives.call(lastCall, op, json);
        }),
      log: (level, message) => natives.log(level, stringify(message.slice(0, most.text))),
      decodeText: (base64) => parse(natives.text("decodeBase64", stringify([base64]))),
    },
    program,
  );

  const describe = (error: unknown): [string, string] => {
    try {
      if (!(error instanceof Error)) return [String(error).slice(0, most.text), ""];
      const text = error.name === "Error" ? String(error.message) : `${error.name}: ${error.message}`;
      return [text.slice(0, most.text), String(error.stack ?? "").slice(0, most.text)];
    } catch {
      return ["It threw something that cannot be described", ""];
    }
  };
  const fail = (id: number, error: unknown): void => natives.fail(id, stringify(describe(error)));
  const succeed = (id: number, value: unknown): void => {
    try {
      const json = stringify(value);
      if (json === undefined) natives.succeed(id);
      else if (json.length > most.result) natives.fail(id, '["too-large"]');
      else natives.succeed(id, json);
    } catch (error) {
      fail(id, error);
    }
  };
  const conclude = (id: number, work: () => unknown): void => {
    try {
      const value = work();
      const isPromise = typeof value === "object" && value !== null && "then" in value;
      // Most handlers return immediately, and another promise would cost as much as the rest of the call.
      if (!isPromise) {
        succeed(id, value);
        return;
      }
      Promise.resolve(value).then(
        (result) => succeed(id, result),
        (error: unknown) => fail(id, error),
      );
    } catch (error) {
      fail(id, error);
    }
  };
  const take = (id: number): Settle | undefined => {
    const call = calls.get(id);
    calls.delete(id);
    return call;
  };

  return {
    start: (id, definition) => conclude(id, () => facade.start(definition)),
    invoke: (id, handler, payload) => conclude(id, () => facade.invoke(handler, parse(payload))),
    run: (id, task, arg) => conclude(id, () => facade[task](parse(arg) as never)),
    answer: (id, json) => take(id)?.resolve(json === undefined ? undefined : parse(json)),
    refuse: (id, json) => {
      const [name, message] = parse(json);
      take(id)?.reject(fault(name, message));
    },
  };
};
