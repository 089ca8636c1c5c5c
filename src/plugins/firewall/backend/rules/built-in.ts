import type { Place } from "../engine/engine-types.ts";
import type { StoredExemption } from "./rules.ts";

/** An exemption that is built in: admins cannot narrow theirs to a part of a request. */
export type BuiltInExemption = StoredExemption & { places: readonly Place[] };

const passwords = ["password", "confirmPassword", "currentPassword", "newPassword"];
const storageSecrets = ["token", "accessKeyId", "secretAccessKey"];
const settingsSecrets = [
  "clientSecret",
  ...["redis.password", ...storageSecrets],
  ...storageSecrets.map((name) => `cloudflareR2.${name}`),
];

/**
 * Where honest texts look like attacks by their nature: passwords, of which any text is a good one, what sign-in providers
 * send with browsers that come back, and packages, which are no text. Messages of people are not among them: patterns are
 * made to tell those apart. Each is about the part of a request that the route reads it from: a query that names a password is
 * nobody's sign-in.
 */
export const builtInExemptions: readonly BuiltInExemption[] = [
  {
    id: "built-in-passwords",
    method: "*",
    path: "/api/auth/*",
    fields: passwords,
    categories: [],
    places: ["body"],
    note: "Passwords",
  },
  {
    id: "built-in-account",
    method: "*",
    path: "/api/account",
    fields: passwords,
    categories: [],
    places: ["body"],
    note: "The user's own password",
  },
  {
    id: "built-in-account-parts",
    method: "*",
    path: "/api/account/*",
    fields: passwords,
    categories: [],
    places: ["body"],
    note: "The user's own password",
  },
  {
    id: "built-in-users",
    method: "POST",
    path: "/api/admin/users",
    fields: passwords,
    categories: [],
    places: ["body"],
    note: "Passwords that admins set for users",
  },
  {
    id: "built-in-tokens",
    method: "POST",
    path: "/api/admin/tokens",
    fields: passwords,
    categories: [],
    places: ["body"],
    note: "Password confirmation before creating an API token",
  },
  {
    id: "built-in-tokens-parts",
    method: "*",
    path: "/api/admin/tokens/*",
    fields: passwords,
    categories: [],
    places: ["body"],
    note: "Password confirmation before changing an API token",
  },
  {
    id: "built-in-settings",
    method: "*",
    path: "/api/auth/settings/*",
    fields: settingsSecrets,
    categories: [],
    places: ["body"],
    note: "Keys and passwords of external services",
  },
  {
    id: "built-in-providers",
    method: "GET",
    path: "/api/auth/:provider/callback",
    fields: ["code", "state", "scope", "iss", "prompt"],
    categories: [],
    places: ["query"],
    note: "Parameters of the redirect from a sign-in provider",
  },
  {
    id: "built-in-upload",
    method: "POST",
    path: "/api/plugins/upload",
    fields: [],
    categories: [],
    places: ["body"],
    note: "Plugin packages uploaded by admins",
  },
  {
    id: "built-in-inspect",
    method: "POST",
    path: "/api/plugins/inspect",
    fields: [],
    categories: [],
    places: ["body"],
    note: "Plugin packages that are only inspected",
  },
];
