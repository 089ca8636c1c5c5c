import { operations } from "#api/operations.ts";
import type { Operation } from "#contract/operation.ts";
import type { SchemaNames } from "./share-schemas.ts";

/** Those that a contract gives, by their places in the whole document. */
const namesOf = ({ endpoint, names = {} }: Operation): [string, string][] => {
  const [method = "", path = ""] = endpoint.split(" ");
  const at = `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;
  return Object.entries(names).map(([place, name]) => [`${at} ${place}`, name]);
};

/**
 * What schemas are called that stand at several places, each by the first of them: generated clients make types of these
 * names, so that they stay when places come and go. A schema that comes to be repeated is given one here.
 */
export const schemaNames: SchemaNames = {
  ...Object.fromEntries(operations.flatMap(({ operation }) => namesOf(operation))),
  "post /api/auth/register 201": "Done",
  "get /api/auth/verify-email/{token} 200": "DoneWithVerification",
  "get /api/auth/google 302": "SentOn",
  "post /api/auth/resend-verification body": "EmailToWriteTo",

  "get /api/auth/user 200": "User",
  "get /api/auth/user 200.role": "Role",
  "post /api/auth/login 200": "DoneWithUser",

  "get /api/ready 200.status": "Readiness",
  "get /api/ready 200.parts.database": "PartState",

  "post /mcp 200|1": "RpcFailure",

  "post /api/plugins/inspect body": "PackageUpload",
};
