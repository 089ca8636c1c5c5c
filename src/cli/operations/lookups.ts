import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { findKey } from "#cli/find-key.ts";
import { findToken } from "#cli/find-token.ts";
import { emailKey } from "#contract/account-rules.ts";
import type { Lookup } from "#contract/operation-commands.ts";
import { userTexts } from "#contract/user-texts.ts";
import { operationsOf } from "./operations-of.ts";

/**
 * Finds what was typed: `id` is how the API's paths name it, the rest is what is known of it. Throws `NOT_FOUND` where it had to
 * be looked up and is not there, and `CONFLICT` where it names several.
 */
export const lookups: { readonly [L in Lookup]: (client: Client, typed: string) => Promise<{ id: string }> } =
  {
    account: async (client, typed) => {
      if (plain.test(typed)) return { id: typed };
      const { users } = (await operationsOf(client).users.list({ search: typed, limit: 100 })).data;
      return withAddress(users, typed) ?? missing(userTexts.unknown);
    },
    registration: async (client, typed) => {
      if (plain.test(typed)) return { id: typed };
      const { users } = (await operationsOf(client).users.pending({ search: typed, limit: 100 })).data;
      const { id, registrations } = withAddress(users, typed) ?? missing(userTexts.registrationUnknown);
      // The API chooses none of them either.
      if (registrations > 1) throw new CliFailure("CONFLICT", userTexts.severalRegistrations);
      return { id };
    },
    token: (client, typed) => findToken(client, typed, "live"),
    // Of one that is not known, or not alone, the API says so.
    key: async (client, typed) => {
      const found = await findKey(client, typed);
      return { label: typed, tier: null, ...found, id: found?.keyId ?? typed };
    },
  };

// What a path of the API takes as it is; an address with any other character is looked up first.
const plain = /^[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*$/;

const withAddress = <Row extends { email: string }>(rows: Row[], address: string): Row | undefined =>
  rows.find(({ email }) => emailKey(email) === emailKey(address));

const missing = (text: string): never => {
  throw new CliFailure("NOT_FOUND", text);
};
