import type { ApiCallName, ApiInput, ApiUploadName } from "#cli/api-calls.ts";
import type { Client } from "#cli/client.ts";

/** What a call would do, in words. Throws what can be seen to stand against it. */
export type Plan<Input> = (client: Client, input: Input) => Promise<string>;

// They try something, and what they find out is all that stays of it.
const trials = [
  "POST /api/auth/settings/test-redis",
  "POST /api/auth/settings/test-r2",
  "POST /api/auth/settings/test-rate-limit",
  "POST /api/admin/backups/proof",
] as const satisfies ApiCallName[];

/** The calls that change something. */
export type ChangeName = Exclude<ApiCallName, `GET ${string}` | (typeof trials)[number] | ApiUploadName>;

/** Plans for some of them. */
export type Plans<Name extends ChangeName> = { [Each in Name]: Plan<ApiInput<Each>> };

/** Whether a call changes something. */
export const isChange = (name: ApiCallName): name is ChangeName =>
  !name.startsWith("GET ") && !trials.some((trial) => trial === name);

/** A plan for an operation, by what it takes. */
export type OperationPlan<Call extends (input: never) => unknown> = (
  client: Client,
  input: Parameters<Call>[0],
) => Promise<string>;
