import type { User } from "#contract/users.ts";

/** The answer of the bare routes: as long as the real one. */
export const sampleUser: User = {
  id: "0199a3c4-5d6e-7f80-9a1b-2c3d4e5f6071",
  name: "Ada Lovelace",
  email: "ada@example.test",
  role: "admin",
  googleId: null,
  githubId: null,
  emailVerified: true,
  createdAt: "2026-01-02T03:04:05.678Z",
};
