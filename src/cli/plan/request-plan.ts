import type { AnyCall, Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { isRecord } from "#cli/read-answer.ts";
import { Planned } from "./planned.ts";

/** What a call would do, by the API's own description. Throws `NOT_FOUND` for one that it does not have. */
export const requestPlan = async (
  client: Client,
  { method, path }: Pick<AnyCall, "method" | "path">,
): Promise<Planned> => {
  const [plain = ""] = path.split("?", 1);
  const operation = operationAt(await client.describe(), method.toLowerCase(), plain);
  if (operation === null)
    throw new CliFailure("NOT_FOUND", `there is no call ${method} ${plain}; see: atrium openapi`);
  const about = typeof operation.summary === "string" ? `: ${operation.summary}` : "";
  return new Planned({
    words: `Would call ${method} ${path}${about}`,
    call: `${method} ${plain as `/${string}`}`,
  });
};

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
