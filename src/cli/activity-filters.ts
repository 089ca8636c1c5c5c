import { type Command, InvalidArgumentError, Option } from "commander";
import { activitySeverities, activityStatuses, activityTypes, actorKinds } from "#contract/activity.ts";
import { given } from "./given.ts";
import { readMoment } from "./moment.ts";

/** Which activities are wanted, as it was typed; each list holds at least one value. */
export type ActivityFilters = {
  type?: string[];
  plugin?: string[];
  status?: string[];
  severity?: string[];
  who?: string[];
  security?: boolean;
  search?: string;
  since?: string;
  until?: string;
};

/** Adds the options by which activities are picked. */
export const withActivityFilters = (command: Command): Command =>
  command
    .addOption(oneOf("--type <types>", "only these types", activityTypes))
    .option("--plugin <names>", "only from these plugins; core is Atrium itself", several)
    .addOption(oneOf("--status <statuses>", "only with these outcomes", activityStatuses))
    .addOption(oneOf("--severity <severities>", "only of these severities", activitySeverities))
    .addOption(oneOf("--who <actors>", "only by these kinds of actor", actorKinds))
    .option("--security", "only security events: critical ones and those about permissions")
    .option(
      "--search <text>",
      "only with this in a column of the list or at the start of the request id, in any case",
    )
    .option(
      "--since <when>",
      "only from then on: 2026-01-31, 2026-01-31T12:00Z, or back from now: 24h, 7d",
      moment,
    )
    .option("--until <when>", "only up to then, a day to its end", moment);

/** The filters that were typed, for a query. */
export const activityQuery = ({
  type,
  plugin,
  status,
  severity,
  who,
  security,
  search,
  since,
  until,
}: ActivityFilters) =>
  given({
    type: type?.join(),
    pluginName: plugin?.join(),
    status: status?.join(),
    severity: severity?.join(),
    actorKind: who?.join(),
    security: security === true ? ("true" as const) : undefined,
    search,
    startDate: since,
    endDate: until,
  });

const oneOf = (flags: string, description: string, allowed: readonly string[]): Option =>
  new Option(flags, description).choices(allowed).argParser((text, before?: string[]) => {
    const words = several(text, before);
    const wrong = words.filter((word) => !allowed.includes(word));
    if (wrong.length > 0)
      throw new InvalidArgumentError(`No such word: ${wrong.join(", ")}. Allowed are ${allowed.join(", ")}.`);
    return words;
  });

/** Values that are separated by commas, given once or several times; each stands once. */
const several = (text: string, before: string[] = []): string[] => {
  const words = text.split(",").map((word) => word.trim());
  if (words.includes("")) throw new InvalidArgumentError("A value is missing.");
  return [...new Set([...before, ...words])];
};

const moment = (text: string): string => readMoment(text, new Date());
