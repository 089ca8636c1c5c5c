import type { SignedIn } from "#api/core/context.ts";
import type { User } from "#contract/users.ts";

/** A user as an actor whose session is of no matter: long ago, unless `at` says when it began and was proven. */
export const sessionActor = (
  user: User,
  { sessionHash = "", at = new Date(0) }: { sessionHash?: string; at?: Date } = {},
): SignedIn => ({ kind: "user", user, sessionHash, begunAt: at, endsAt: at, provenAt: at });
