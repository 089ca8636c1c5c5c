import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import { type HostOp, hostOps, InvocationError } from "../runtime.ts";
import { sandboxLimits } from "../sandbox/sandbox-limits.ts";

const isHostOp = (op: string): op is HostOp => hostOps.some((known) => known === op);

/** The operation of that name; the facade knows no other. */
export const asHostOp = (op: string): HostOp => {
  if (!isHostOp(op)) throw new TypeError(`There is no operation ${op}`);
  return op;
};

/** What is left of a value when it crosses to a sandbox or back: its own copy as JSON. Throws for what is no JSON. */
export const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value) ?? "null");

/** What a handler answers, as it would come from a sandbox. Throws `too-large`. */
export const toAnswer = (value: unknown): Json | undefined => {
  const text = JSON.stringify(value);
  if (text === undefined) return undefined;
  if (text.length > sandboxLimits.invocationBytes)
    throw new InvocationError("too-large", `The answer is larger than ${pluginLimits.bodyBytes} bytes`);
  return JSON.parse(text);
};

/** What a handler is given, as it would come to a sandbox. Throws `too-large`. */
export const toPayload = (payload: Json): Json => {
  const text = JSON.stringify(payload);
  if (text.length > sandboxLimits.invocationBytes)
    throw new InvocationError("too-large", `The call is larger than ${pluginLimits.bodyBytes} bytes`);
  return JSON.parse(text);
};

/** The text in `base64`; throws where it is no UTF-8. */
export const textIn = (base64: string): string =>
  new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64, "base64"));

/** What was thrown, in words for the plugin's author. */
export const wordsOf = (thrown: unknown): string => {
  try {
    if (!(thrown instanceof Error)) return String(thrown).slice(0, pluginLimits.logLineLength);
    const text = thrown.name === "Error" ? thrown.message : `${thrown.name}: ${thrown.message}`;
    return text.slice(0, pluginLimits.logLineLength);
  } catch {
    return "It threw something that cannot be described";
  }
};
