import type { Client } from "#api/operations.ts";
import { createClient, type OperationId, type PlacedRequest, placeInput } from "#contract/create-client.ts";
import { timers } from "#contract/limits.ts";
import { send } from "./api.ts";

/**
 * The server's operations with the types of their contracts: `(await client.contact.get({ id })).data`. Throws as `api` does.
 */
export const client: Client = createClient((id, input) => sendPlaced(placeInput(id, input)));

/** Sends a request that calls an operation. */
export const sendPlaced = ({ method, target, headers, body, mayTakeLong }: PlacedRequest) => {
  const timeoutMs = mayTakeLong ? timers.longRequestTimeoutMs : timers.requestTimeoutMs;
  return send(method, target, body, { headers, timeoutMs });
};

/** Where the browser gets the file that an operation answers. */
export const addressOf = (id: OperationId, input: object): string => placeInput(id, input).target;
