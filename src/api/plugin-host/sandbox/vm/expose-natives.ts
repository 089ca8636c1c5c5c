import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import { type Bytes, byteNatives, decodeBytes, isSameSignature, textNatives } from "./natives.ts";
import type { NativesInVm } from "./natives-in-vm.ts";

/** What the interpreter tells the process; text is JSON. */
export type NativeEvents = {
  onLog(level: string, message: string): void;
  onStartTimer(id: number, ms: number): void;
  onStopTimer(id: number): void;
  onCall(id: number, op: string, args: string): void;
  onSuccess(id: number, json: string | undefined): void;
  onFailure(id: number, json: string): void;
};

/** Makes {@link NativesInVm}, as an object in the interpreter. What a native throws is thrown in there. */
export const exposeNatives = (context: QuickJSContext, events: NativeEvents): QuickJSHandle => {
  const textOf = (handle: QuickJSHandle | undefined): string =>
    handle === undefined ? "" : context.getString(handle);
  const numberOf = (handle: QuickJSHandle): number => context.getNumber(handle);
  const isTrue = (handle: QuickJSHandle): boolean => context.dump(handle) === true;
  const bytesOf = (handle: QuickJSHandle | undefined): Bytes =>
    handle === undefined
      ? new Uint8Array()
      : context.getArrayBuffer(handle).consume(({ value }) => new Uint8Array(value));

  const natives: Record<keyof NativesInVm, (...handles: QuickJSHandle[]) => QuickJSHandle | undefined> = {
    text: (name, args) => {
      const made = apply(textNatives, textOf(name), JSON.parse(textOf(args)));
      return context.newString(JSON.stringify(made));
    },
    bytes: (name, first, second, third) => {
      const made = apply(byteNatives, textOf(name), [textOf(first), bytesOf(second), bytesOf(third)]);
      return context.newArrayBuffer(made.buffer);
    },
    decode: (data, isFatal, ignoreBOM) =>
      context.newString(JSON.stringify(decodeBytes(bytesOf(data), isTrue(isFatal), isTrue(ignoreBOM)))),
    isSame: (a, b) => (isSameSignature(bytesOf(a), bytesOf(b)) ? context.true : context.false),
    log: (level, message) => void events.onLog(textOf(level), JSON.parse(textOf(message))),
    startTimer: (id, ms) => void events.onStartTimer(numberOf(id), numberOf(ms)),
    stopTimer: (id) => void events.onStopTimer(numberOf(id)),
    call: (id, op, args) => void events.onCall(numberOf(id), textOf(op), textOf(args)),
    succeed: (id, json) => void events.onSuccess(numberOf(id), json === undefined ? undefined : textOf(json)),
    fail: (id, json) => void events.onFailure(numberOf(id), textOf(json)),
  };

  const object = context.newObject();
  for (const [name, run] of Object.entries(natives)) {
    context.newFunction(name, run).consume((handle) => context.setProp(object, name, handle));
  }
  return object;
};

/** Calls a native with what the interpreter's own objects pass, each as its native wants it. */
const apply = <N extends Record<string, (...args: never[]) => unknown>>(
  natives: N,
  name: string,
  args: unknown[],
): ReturnType<N[keyof N]> => {
  const native = Object.hasOwn(natives, name) ? natives[name] : undefined;
  if (native === undefined) throw new TypeError(`There is no native ${name}`);
  return native(...(args as never[])) as ReturnType<N[keyof N]>;
};
