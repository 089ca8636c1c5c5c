import { pluginLimits } from "#contract/plugins.ts";
import type { AdminPanel, Json } from "#plugins/sdk/types.ts";
import {
  type HostOp,
  hostOps,
  isShown,
  type RegisteredRoute,
  type Registration,
  type RuntimeFailure,
  routeProofs,
} from "../runtime.ts";
import type { Frame } from "./channel.ts";
import type { FromChild, TaskFailure } from "./messages.ts";
import { isDeeperThan, sandboxLimits } from "./sandbox-limits.ts";

/** A well-formed message of a plugin's process; `body` is its JSON, `undefined` for none. */
type ReadMessage = { message: FromChild; body: unknown };

/**
 * Reads a frame of a process that may send anything. `null` if it is no message, is larger than its kind may be, or
 * nested too deeply. The receiver checks whether it was expected.
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

/** The maximum body size of a kind of message. */
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

/**
 * Reads a plugin's registration from its process. `null` if it is malformed, or one of another plugin than `expected`.
 * The host checks its schemas, paths and names.
 */
export const readRegistration = (
  value: unknown,
  expected: { name: string; version: string },
): Registration | null => {
  const fields = readObject(value);
  if (fields === null || fields.name !== expected.name || fields.version !== expected.version) return null;
  const { description, hasHealth, hasMigrate } = fields;
  const routes = readList(fields.routes, pluginLimits.routes, readRoute);
  const jobs = readList(fields.jobs, pluginLimits.jobs, readJob);
  const listeners = readList(fields.listeners, pluginLimits.listeners, readListener);
  if (routes === null || jobs === null || listeners === null) return null;
  if (description !== null && !isText(description, 500)) return null;
  if (typeof hasHealth !== "boolean" || typeof hasMigrate !== "boolean") return null;
  return {
    name: expected.name,
    version: expected.version,
    description,
    adminPanel: readAdminPanel(fields.adminPanel),
    routes,
    jobs,
    listeners,
    hasHealth,
    hasMigrate,
  };
};

const readList = <T>(value: unknown, most: number, read: (item: unknown) => T | null): T[] | null => {
  if (!Array.isArray(value) || value.length > most) return null;
  const items = value.map(read).filter((item) => item !== null);
  return items.length === value.length ? items : null;
};

// As many as the plugin's side allows.
const mostHeaders = 20;

/** A displayed text: in the API document, and in the activity log. */
const isShownText = (value: unknown, most: number): value is string => isText(value, most) && isShown(value);

const readRoute = (value: unknown): RegisteredRoute | null => {
  const fields = readObject(value) ?? {};
  const { handler, method, path, access, headers, summary, description } = fields;
  const proof = routeProofs.find((known) => known === fields.proof) ?? null;
  if (!isText(handler, 20) || !isText(path, 200)) return null;
  if (summary !== null && !isShownText(summary, 200)) return null;
  if (description !== null && !isShownText(description, 2_000)) return null;
  if (access !== "admin" && access !== "user" && access !== "public") return null;
  if (proof !== fields.proof) return null;
  if (method !== "GET" && method !== "POST" && method !== "PUT" && method !== "PATCH" && method !== "DELETE")
    return null;
  const names = readList(headers, mostHeaders, (name) => (isText(name, 100) ? name : null));
  if (names === null) return null;
  return {
    ...{ handler, method, path, access, proof, headers: names, summary, description },
    body: asJson(fields.body),
    query: asJson(fields.query),
    params: asJson(fields.params),
    response: asJson(fields.response),
    answers: asJson(fields.answers),
  };
};

const readJob = (value: unknown): Registration["jobs"][number] | null => {
  const { handler, name, everyMs } = readObject(value) ?? {};
  return isText(handler, 20) && isText(name, 200) && isCount(everyMs) ? { handler, name, everyMs } : null;
};

const readListener = (value: unknown): Registration["listeners"][number] | null => {
  const { handler, event } = readObject(value) ?? {};
  return isText(handler, 20) && isText(event, 200) ? { handler, event } : null;
};

/** Takes what is well-formed: an author's mistake in what is only displayed must not keep a plugin from running. */
const readAdminPanel = (value: unknown): AdminPanel | null => {
  const fields = readObject(value);
  if (fields === null || typeof fields.enabled !== "boolean") return null;
  const menuItem = readTexts(fields.menuItem, ["title", "description", "icon", "path"] as const);
  const card = readTexts(fields.card, ["title", "description", "icon", "color", "buttonText"] as const);
  return {
    enabled: fields.enabled,
    ...(menuItem === null ? {} : { menuItem }),
    ...(card === null ? {} : { card }),
  };
};

const readTexts = <K extends string>(
  value: unknown,
  names: readonly K[],
): { [name in K]?: string } | null => {
  const fields = readObject(value);
  if (fields === null) return null;
  const texts: { [name in K]?: string } = {};
  for (const name of names) {
    const text = fields[name];
    if (isText(text, 500)) texts[name] = text;
  }
  return texts;
};

/** It was parsed from JSON; what is missing is `null`. */
const asJson = (value: unknown): Json => (value ?? null) as Json;

/** A value from a process that may be hostile, as an object whose fields are still unchecked. */
export const readObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;

/** A text of at most `most` characters. */
export const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.length <= most;

/** A whole number from 0. */
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** JSON within the reader's depth limit; `null` if it is not JSON. */
const parseJson = (bytes: Uint8Array): { value: unknown } | null => {
  try {
    return { value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) };
  } catch {
    return null;
  }
};
