import { pluginLimits } from "#contract/plugins.ts";
import type { AdminPanel, Json } from "#plugins/sdk/types.ts";
import { isShown } from "../dispatch/shown-text.ts";
import type { RegisteredRoute, Registration } from "../runtime.ts";
import { isCount, isText, readObject } from "./read-object.ts";

/**
 * Reads what a process says that its plugin registered. `null` when it has not the form of a registration, or one of
 * another plugin than `expected`. What schemas, paths and names are worth is for the host to check.
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

// As many as the plugin's side lets through.
const mostHeaders = 20;

/** A text that people read: in the description of the API, and in the activity log. */
const isShownText = (value: unknown, most: number): value is string => isText(value, most) && isShown(value);

const readRoute = (value: unknown): RegisteredRoute | null => {
  const fields = readObject(value) ?? {};
  const { handler, method, path, access, headers, summary, description } = fields;
  if (!isText(handler, 20) || !isText(path, 200)) return null;
  if (summary !== null && !isShownText(summary, 200)) return null;
  if (description !== null && !isShownText(description, 2_000)) return null;
  if (access !== "admin" && access !== "user" && access !== "public") return null;
  if (method !== "GET" && method !== "POST" && method !== "PUT" && method !== "PATCH" && method !== "DELETE")
    return null;
  const names = readList(headers, mostHeaders, (name) => (isText(name, 100) ? name : null));
  if (names === null) return null;
  return {
    ...{ handler, method, path, access, headers: names, summary, description },
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

/** Takes over what has the right form: an author's slip in what is only shown must not keep a plugin from running. */
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

/** It was parsed from JSON; what is not there is `null`. */
const asJson = (value: unknown): Json => (value ?? null) as Json;
