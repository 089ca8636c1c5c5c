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

/** An exemption of fields of a route's body; without fields of all of it. `route` is a method, or `*`, and a path. */
const inBody = (name: string, route: string, note: string, fields: string[] = []): BuiltInExemption => {
  const [method = "", path = ""] = route.split(" ");
  return { id: `built-in-${name}`, method, path, fields, categories: [], places: ["body"], note };
};

/**
 * Where honest texts look like attacks by their nature: passwords, of which any text is a good one, what sign-in providers
 * send with browsers that come back, and packages, which are no text. Messages of people are not among them: patterns are
 * made to tell those apart. Each is about the part of a request that the route reads it from: a query that names a password is
 * nobody's sign-in.
 */
export const builtInExemptions: readonly BuiltInExemption[] = [
  inBody("passwords", "* /api/auth/*", "Passwords", passwords),
  inBody("account", "* /api/account", "The user's own password", passwords),
  inBody("account-parts", "* /api/account/*", "The user's own password", passwords),
  inBody("users", "POST /api/admin/users", "Passwords that admins set for users", passwords),
  inBody("tokens", "POST /api/admin/tokens", "Password confirmation before creating an API token", passwords),
  inBody(
    "tokens-parts",
    "* /api/admin/tokens/*",
    "Password confirmation before changing an API token",
    passwords,
  ),
  inBody("settings", "* /api/auth/settings/*", "Keys and passwords of external services", settingsSecrets),
  {
    id: "built-in-providers",
    method: "GET",
    path: "/api/auth/:provider/callback",
    fields: ["code", "state", "scope", "iss", "prompt"],
    categories: [],
    places: ["query"],
    note: "Parameters of the redirect from a sign-in provider",
  },
  inBody("upload", "POST /api/plugins/upload", "Plugin packages uploaded by admins"),
  inBody("inspect", "POST /api/plugins/inspect", "Plugin packages that are only inspected"),
];
