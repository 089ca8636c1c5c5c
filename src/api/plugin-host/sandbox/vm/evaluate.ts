import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";

/** The plugin's own code is why it cannot be run; the message is for its author. */
export class ProgramError extends Error {}

/** The value of an expression of the sandbox's own. */
export const evaluate = (context: QuickJSContext, expression: string): QuickJSHandle =>
  context.unwrapResult(context.evalCode(expression, "sandbox.js"));

/** Calls a function of the sandbox's own with handles. */
export const callIn = (
  context: QuickJSContext,
  callee: QuickJSHandle,
  ...args: QuickJSHandle[]
): QuickJSHandle => context.unwrapResult(context.callFunction(callee, context.undefined, ...args));

/** Runs a bundle's module; its default export, or `undefined` where it has none. Throws {@link ProgramError}. */
export const evaluateModule = (context: QuickJSContext, source: string, file: string): QuickJSHandle => {
  const result = context.evalCode(source, file, { type: "module" });
  if (result.error) throw new ProgramError(reasonOf(context, result.error));
  const state = context.getPromiseState(result.value);
  if (state.type === "pending") throw new ProgramError("The backend awaits something outside its functions");
  if (state.type === "rejected") throw new ProgramError(reasonOf(context, state.error));
  return context.getProp(state.value, "default");
};

const reasonOf = (context: QuickJSContext, error: QuickJSHandle): string => {
  const said = describeThrown(context, error);
  const missing = /could not load module '([^']*)'/.exec(said)?.[1];
  return missing === undefined
    ? `The backend cannot be run: ${said}`
    : `The backend imports ${missing.slice(0, 100)}: it must be one file without imports`;
};

/** What was thrown in the interpreter, on one line. The handle is used up. */
export const describeThrown = (context: QuickJSContext, error: QuickJSHandle): string => {
  const thrown: unknown = error.consume((handle) => context.dump(handle));
  if (typeof thrown !== "object" || thrown === null) return String(thrown).slice(0, maxLength);
  const { name, message, stack } = thrown as { name?: unknown; message?: unknown; stack?: unknown };
  const place = typeof stack === "string" ? pluginFrame.exec(stack)?.[0] : undefined;
  return `${name ?? "Error"}: ${message ?? ""}${place ? ` (${place})` : ""}`.slice(0, maxLength);
};

const maxLength = 1000;
/** The first place in the plugin's own file: what is in ours tells its author nothing. */
const pluginFrame = /(?<![\w.-])(?!sandbox\.js:)[\w.-]+\.js:\d+(?::\d+)?/;
