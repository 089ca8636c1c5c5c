import type { Client } from "#cli/client.ts";
import { findToken } from "#cli/find-token.ts";
import type { Lookup } from "#contract/operation-commands.ts";

/**
 * Finds what was typed: `id` is how the API's paths name it, the rest is what is known of it. Throws `NOT_FOUND` where it had to
 * be looked up and is not there, and `CONFLICT` where it names several.
 */
export const lookups: { readonly [L in Lookup]: (client: Client, typed: string) => Promise<{ id: string }> } =
  {
    token: (client, typed) => findToken(client, typed, "live"),
  };
