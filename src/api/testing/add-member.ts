import { hashToken } from "#api/core/ids.ts";
import { beginSession } from "#api/modules/sessions/index.ts";
import type { Role, User } from "#contract/users.ts";
import type { TestContext } from "./context.ts";
import { addUser, newPerson, type Person } from "./people.ts";

/** Someone with an account and a session; `ctx` is the world as they see it. */
export type Member = { ctx: TestContext; user: User; person: Person; token: string };

/** Gives a new person a verified account and a session. */
export const addMember = async (world: TestContext, role: Role = "user"): Promise<Member> => {
  const person = newPerson();
  const user = await addUser(world, person, role);
  return { person, user, ...(await beginAgain(world, user)) };
};

/** One more session of the same user. */
export const beginAgain = async (world: TestContext, user: User) => {
  const { token, lifeMs } = await beginSession(world, world.db, { user });
  const now = world.clock.now();
  const session = { begunAt: now, endsAt: new Date(now.getTime() + lifeMs), provenAt: now };
  return { token, ctx: world.as({ kind: "user", user, sessionHash: hashToken(token), ...session }) };
};
