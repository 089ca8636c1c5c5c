import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { newSession } from "./new-session.ts";
import { insertSession } from "./store.ts";

/** Begins a session in the caller's transaction and gives its token, which is stored nowhere. */
export const beginSession = async (ctx: Context, tx: Database, userId: string): Promise<string> => {
  const { token, session } = newSession(ctx, userId);
  await insertSession(tx, session);
  return token;
};
