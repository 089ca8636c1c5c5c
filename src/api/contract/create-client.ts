import type { Client } from "#api/operations.ts";
import { calls } from "./calls.ts";
import type { OperationId } from "./place-input.ts";

/** The typed client over any way to call an operation, which resolves to the body of the answer. */
export const createClient = (call: (id: OperationId, input: object) => Promise<unknown>): Client => {
  const client: Record<string, Record<string, (input?: object) => Promise<unknown>>> = {};
  for (const id of operationIds) {
    const [module = "", name = ""] = id.split(".");
    client[module] = { ...client[module], [name]: (input = {}) => call(id, input) };
  }
  return typed(client);
};

/** All operations. */
export const operationIds = Object.keys(calls).filter((id): id is OperationId => id in calls);

/** The table was written from the very contracts that the type is made of: a test compares them. */
const typed = (client: object) => client as Client;
