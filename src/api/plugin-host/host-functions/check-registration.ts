import { type Permission, type PermissionName, pluginLimits } from "#contract/plugins.ts";
import type { RegisteredRoute, Registration } from "../runtime.ts";
import { howToGrant } from "./host-function.ts";

/** What is wrong with what a plugin registered; `permission` if it lacks one. */
export type RegistrationProblem = { message: string; permission: PermissionName | null };

const routePath = /^(?:\/|(?:\/(?:[A-Za-z0-9._~-]+|:[A-Za-z][A-Za-z0-9_]*))+)$/;
const pathLength = 200;
const jobName = /^[a-z0-9][a-z0-9-]{0,59}$/;
const dayMs = 24 * 60 * 60 * 1000;
const mostEveryMs = 366 * dayMs;

/** Events that plugins can listen to. */
const eventNames = ["user.login", "user.registered", "plugin.state", "settings.changed"];

/**
 * Checks what a plugin registered in its setup; `null` if all of it is valid and granted; `asked` is what its manifest
 * requests.
 */
export const checkRegistration = (
  registration: Registration,
  { granted, asked }: { granted: readonly Permission[]; asked: readonly Permission[] },
): RegistrationProblem | null => {
  const { routes, jobs, listeners } = registration;
  const may = (name: PermissionName) => granted.some((permission) => permission.name === name);
  const needed: PermissionName[] = [
    ...(routes.length > 0 ? (["routes"] as const) : []),
    ...(routes.some(({ access }) => access === "user") ? (["routes.user"] as const) : []),
    ...(routes.some(({ access }) => access === "public") ? (["routes.public"] as const) : []),
    ...(jobs.length > 0 ? (["schedule"] as const) : []),
    ...(listeners.length > 0 ? (["events"] as const) : []),
  ];
  const missing = needed.find((name) => !may(name));
  if (missing !== undefined)
    return {
      message: `It doesn't have the permission ${missing}: ${howToGrant(missing, asked)}`,
      permission: missing,
    };
  const message =
    tooMany(registration) ??
    first(routes, routeProblem) ??
    repeated(
      routes.map(({ method, path }) => `${method} ${path.replace(/:[^/]+/g, ":")}`),
      "route",
    ) ??
    first(jobs, jobProblem) ??
    repeated(
      jobs.map(({ name }) => name),
      "job",
    ) ??
    first(listeners, ({ event }) =>
      eventNames.includes(event) ? null : `There is no event "${event.slice(0, 40)}"`,
    );
  return message === null ? null : { message, permission: null };
};

const first = <T>(items: readonly T[], problemOf: (item: T) => string | null): string | null => {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
};

const tooMany = ({ routes, jobs, listeners }: Registration): string | null => {
  if (routes.length > pluginLimits.routes) return `It has more than ${pluginLimits.routes} routes`;
  if (jobs.length > pluginLimits.jobs) return `It has more than ${pluginLimits.jobs} jobs`;
  if (listeners.length > pluginLimits.listeners)
    return `It has more than ${pluginLimits.listeners} listeners`;
  return null;
};

const routeProblem = ({ method, path }: RegisteredRoute): string | null => {
  const isPlain = path.length <= pathLength && routePath.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path);
  if (!isPlain) return `The path of ${method} ${path.slice(0, 60)} is not plain`;
  const names = path.match(/:[^/]+/g) ?? [];
  return new Set(names).size === names.length ? null : `The path ${path} has the same name twice`;
};

const jobProblem = ({ name, everyMs }: Registration["jobs"][number]): string | null => {
  if (!jobName.test(name))
    return `The job "${name.slice(0, 40)}" needs a name of lowercase letters, digits and hyphens`;
  const isInBounds =
    Number.isSafeInteger(everyMs) && everyMs >= pluginLimits.jobEveryMs && everyMs <= mostEveryMs;
  return isInBounds ? null : `The job ${name} can't run more often than every ${pluginLimits.jobEveryMs} ms`;
};

const repeated = (keys: readonly string[], what: string): string | null => {
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) return `It has the ${what} ${key} twice`;
    seen.add(key);
  }
  return null;
};
