import type { Operation } from "../../src/api/contract/operation.ts";
import { operations } from "../../src/api/operations.ts";

const describedAs = ({ endpoint }: Operation): string => endpoint.replace(/:(\w+)/g, "{$1}");

/** What each call is named in the client: its group, as the command line names things, and its function. */
export const operationNames: { readonly [operation: string]: string } = {
  ...Object.fromEntries(operations.map(({ id, operation }) => [describedAs(operation), id])),
  "GET /api/ready": "system.ready",
  "GET /api/metrics": "system.metrics",
  "GET /swagger/json": "system.document",
  "POST /api/plan/{operation}": "plans.make",
  "GET /api/auth/user": "auth.user",
  "POST /api/auth/register": "auth.register",
  "GET /api/auth/verify-email/{token}": "auth.verifyEmail",
  "POST /api/auth/verify-email/{token}": "auth.finishVerification",
  "POST /api/auth/resend-verification": "auth.resendVerification",
  "POST /api/auth/reset-password/{token}": "auth.resetPassword",
  "POST /api/auth/login": "auth.login",
  "POST /api/auth/logout": "auth.logout",
  "POST /api/auth/setup": "auth.setup",
  "GET /api/admin/activity/stream": "activity.watch",
  "GET /api/plugin-host/manifest.schema.json": "plugins.manifestSchema",
  "POST /api/plugins/inspect": "plugins.inspect",
  "POST /api/plugins/upload": "plugins.upload",
  "GET /api/plugins/{name}/starter": "plugins.starter",
};

/**
 * Calls that browsers make by themselves, because they are led there or load them for a page, and those of another
 * protocol. `*` is any rest of a path.
 */
const withoutFunction = [
  "POST /mcp",
  // The same as POST, for links.
  "GET /api/auth/logout",
  "GET /api/auth/google*",
  "GET /api/auth/github*",
  "GET /api/plugins/{name}/assets/*",
  "GET /api/plugins/{name}/frame",
  "GET /api/plugins/site-scripts",
  "GET /api/plugin-host/{file}",
] as const;

/** Operations whose answer is a file, which the document cannot say of those that are JSON or text by their form. */
export const fileAnswers: readonly string[] = [
  "account.export",
  ...operations.flatMap(({ id, operation }) => (operation.responds === "file" ? [id] : [])),
];

/** Operations that answer events: what one of them is, in the terms of the other answers' types. */
export const eventTypes: { readonly [operation: string]: string } = {
  "activity.watch": `
  | { event: "activity"; id: string; data: ActivityListAnswer["activities"][number] }
  /** Some were left out: what was loaded before is to be loaded again. */
  | { event: "gap"; id: string; data: { through: number } }`,
};

/** Whether a call has no function. */
export const isWithoutFunction = (operation: string): boolean =>
  withoutFunction.some((pattern) =>
    pattern.endsWith("*") ? operation.startsWith(pattern.slice(0, -1)) : operation === pattern,
  );
