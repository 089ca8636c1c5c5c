import type { Client as Operations } from "#api/operations.ts";
import type { Client, Timing } from "#cli/client.ts";
import { createClient } from "#contract/create-client.ts";

/** The typed client over whatever way the API is called: `operationsOf(client).mail.retry({ id })`. */
export const operationsOf = (client: Client, timing?: Timing): Operations =>
  createClient((id, input) => client.operate(id, input, timing));
