import { pluginLimits } from "#contract/plugins.ts";
import { type HostOp, hostOps, type RuntimeFailure } from "../runtime.ts";
import type { Frame } from "./frames.ts";
import { isDeeperThan } from "./json-depth.ts";
import type { FromChild, TaskFailure } from "./messages.ts";
import { isCount, isText, parseJson, readObject } from "./read-object.ts";
import { sandboxLimits } from "./sandbox-limits.ts";

/** A message of a plugin's process that has the form of one; `body` is its JSON, `undefined` for none. */
export type ReadMessage = { message: FromChild; body: unknown };

/**
 * Reads a frame of a process that may say anything. `null` when it is no message, is larger than that kind may be, or
 * nested too deeply. Whether it fits what was asked is for the receiver to say.
 */
export const readFromChild = ({ head, body }: Frame): ReadMessage | null => {
  const fields = readObject(parseJson(head)?.value);
  const message = fields === null ? null : readHead(fields);
  if (message === null || body.length > bodyBytes[message.type]) return null;
  if (body.length === 0) return { message, body: undefined };
  if (isDeeperThan(body, sandboxLimits.jsonDepth)) return null;
  const parsed = parseJson(body);
  return parsed === null ? null : { message, body: parsed.value };
};

/** How large the body of a kind of message may be. */
const bodyBytes: Record<FromChild["type"], number> = {
  ready: 0,
  started: sandboxLimits.registrationBytes,
  refused: 0,
  result: sandboxLimits.invocationBytes,
  failure: 0,
  call: sandboxLimits.callBytes,
  log: 0,
  pong: 0,
  recovered: sandboxLimits.registrationBytes,
  broken: 0,
};

const readHead = (fields: Record<string, unknown>): FromChild | null => {
  const { type, id, reason } = fields;
  if (type === "started") return { type };
  if (type === "ready") {
    const { isolation } = fields;
    return isolation === "process" || isolation === "process+seccomp" ? { type, isolation } : null;
  }
  if (type === "log") {
    const { level, message } = fields;
    if (!isText(message, pluginLimits.logLineLength)) return null;
    return level === "debug" || level === "info" || level === "warn" || level === "error"
      ? { type, level, message }
      : null;
  }
  if (type === "refused")
    return isText(reason, maxReason) ? { type, reason, isSlow: fields.isSlow === true } : null;
  const { handler } = fields;
  if (type === "recovered" || type === "broken") {
    const { kind } = fields;
    return isFailureKind(kind) && isText(reason, maxReason) && isHandler(handler)
      ? { type, kind, reason, handler }
      : null;
  }
  if (!isCount(id)) return null;
  if (type === "result") return { type, id };
  if (type === "call")
    return isHostOp(fields.op) && isHandler(handler) ? { type, id, op: fields.op, handler } : null;
  if (type === "pong") return isCount(fields.rssBytes) ? { type, id, rssBytes: fields.rssBytes } : null;
  if (type === "failure") {
    const { kind, stack } = fields;
    return isTaskFailure(kind) && isText(reason, maxReason) && isText(stack, maxReason)
      ? { type, id, kind, reason, stack }
      : null;
  }
  return null;
};

const isHandler = (value: unknown): value is string | null => value === null || isText(value, maxHandler);

const isHostOp = (value: unknown): value is HostOp => hostOps.some((op) => op === value);

const isTaskFailure = (value: unknown): value is TaskFailure =>
  value === "threw" || value === "timeout" || value === "unavailable" || value === "too-large";

const isFailureKind = (value: unknown): value is RuntimeFailure["kind"] =>
  value === "crash" || value === "cpu" || value === "memory";

const maxHandler = 20;
const maxReason = pluginLimits.logLineLength + 200;
