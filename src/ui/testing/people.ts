import type { User } from "#contract/users.ts";

/** Who looks at a page. */
export type Viewer = "visitor" | "user" | "admin";

const createdAt = "2026-01-05T09:00:00.000Z";
const person = { googleId: null, githubId: null, emailVerified: true, createdAt };

/** Somebody without rights of their own, and an admin. */
export const people = {
  user: { ...person, id: "grace", name: "Grace Hopper", email: "grace@example.test", role: "user" },
  admin: { ...person, id: "ada", name: "Ada Lovelace", email: "ada@example.test", role: "admin" },
} satisfies Record<Exclude<Viewer, "visitor">, User>;
