import type { Context, Mail } from "#api/core/context.ts";
import { createUser } from "#api/modules/users/index.ts";
import type { Role } from "#contract/users.ts";

/** What a person types to register. */
export type Person = { name: string; email: string; password: string };

/** Someone whose address no one else uses. */
export const newPerson = (person: Partial<Person> = {}): Person => ({
  name: "Ada Example",
  email: `ada.${crypto.randomUUID()}@example.test`,
  password: "correct-horse-battery",
  ...person,
});

/** Gives a person a verified account. */
export const addUser = (ctx: Context, person: Person, role: Role = "user") =>
  createUser({ ...ctx, actor: { kind: "operator" } }, { ...person, role });

/** The token in a mail's link. Throws when it has none. */
export const tokenIn = (mail: Mail | undefined): string => {
  const token = mail?.link?.split("token=")[1];
  if (!token) throw new Error("the email has no link with a token");
  return token;
};
