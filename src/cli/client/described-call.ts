import { CliFailure } from "#cli/failure.ts";
import { Planned } from "#cli/planned.ts";
import { changingReads } from "#contract/plan.ts";
import type { AnyCall, Client } from "./client.ts";
import { isRecord } from "./read-answer.ts";

type Called = Pick<AnyCall, "method" | "path">;

/** What a call would do, by the API's own description. Throws `NOT_FOUND` for one that it does not have. */
export const requestPlan = async (client: Client, { method, path }: Called): Promise<Planned> => {
  const operation = await describedCall(client, { method, path });
  const words = callWords(operation, { method, path });
  return new Planned({ words, call: `${method} ${plainOf(path) as `/${string}`}` });
};

/** Whether a call with GET changes something all the same. */
export const isChangingRead = (path: string): boolean => {
  const plain = plainOf(path);
  return changingReads.some((template) => isAt(template, plain));
};

/** A call as the API's description has it. Throws `NOT_FOUND` for one that it does not have. */
export const describedCall = async (
  client: Client,
  { method, path }: Called,
): Promise<Record<string, unknown>> => {
  const plain = plainOf(path);
  const operation = operationAt(await client.describe(), method.toLowerCase(), plain);
  if (operation !== null) return operation;
  throw new CliFailure("NOT_FOUND", `there is no call ${method} ${plain}; see: atrium openapi`);
};

/** That a call would be made, and what it does. */
export const callWords = ({ summary }: Record<string, unknown>, { method, path }: Called): string =>
  `Would call ${method} ${path}${typeof summary === "string" ? `: ${summary}` : ""}`;

const plainOf = (path: string): string => path.split("?", 1)[0] ?? "";

const operationAt = (
  { paths }: Record<string, unknown>,
  method: string,
  path: string,
): Record<string, unknown> | null => {
  const fitting = Object.entries(Object(paths)).filter(([template]) => isAt(template, path));
  // One that is written out is meant before one with a name in its place.
  fitting.sort(([one], [other]) => one.split("{").length - other.split("{").length);
  for (const [, item] of fitting) {
    const operation: unknown = Object(item)[method];
    if (isRecord(operation)) return operation;
  }
  return null;
};

const isAt = (template: string, path: string): boolean => {
  const [parts, given] = [template.split("/"), path.split("/")];
  return (
    parts.length === given.length && parts.every((part, at) => part === given[at] || /^\{\w+\}$/.test(part))
  );
};
