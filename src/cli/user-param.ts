import { emailKey } from "#contract/account-rules.ts";
import { userTexts } from "#contract/user-texts.ts";
import type { Client } from "./client.ts";
import { CliFailure } from "./failure.ts";

// What a path of the API takes as it is; an address with any other character is looked up first.
const plain = /^[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*$/;

/** Where an account is looked for: among the users, or among the registrations that wait. */
export type UserSource = "users" | "pending-users";

/**
 * The account that was typed, as the API's paths name it: the address or id itself, or the id of the account with that
 * address. Throws `NOT_FOUND` when the address had to be looked up and nobody has it, and `CONFLICT` when several
 * registrations have it: the API chooses none of them either.
 */
export const userParam = async (
  client: Client,
  { typed, source = "users" }: { typed: string; source?: UserSource },
): Promise<{ user: string }> => {
  const user = typed.trim();
  if (plain.test(user)) return { user };
  const id = await lookUp(client, { user, source });
  if (id !== undefined) return { user: id };
  throw new CliFailure("NOT_FOUND", source === "users" ? userTexts.unknown : userTexts.registrationUnknown);
};

const lookUp = async (
  client: Client,
  { user, source }: { user: string; source: UserSource },
): Promise<string | undefined> => {
  const query = { search: user, limit: 100 };
  const { users } = await client.call(`GET /api/admin/${source}`, { query });
  const found = users.find(({ email }) => emailKey(email) === emailKey(user));
  if (found && "waiting" in found && found.waiting.length > 1)
    throw new CliFailure("CONFLICT", userTexts.severalRegistrations);
  return found?.id;
};
