import { requireUser } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { User } from "#contract/users.ts";

/** The user who is signed in. Throws `NOT_SIGNED_IN` for anybody else, the operator included. */
export const currentUser = (ctx: Context): User => requireUser(ctx);
