import type { ApiCallName, ApiInput, ApiUploadName } from "#cli/api-calls.ts";
import type { Client } from "#cli/client.ts";

/** What a call would do, in words. Throws what can be seen to stand against it. */
export type Plan<Input> = (client: Client, input: Input) => Promise<string>;

/** The calls that change something. */
export type ChangeName = Exclude<ApiCallName, `GET ${string}` | ApiUploadName>;

/** Plans for some of them. */
export type Plans<Name extends ChangeName> = { [Each in Name]: Plan<ApiInput<Each>> };

/** A plan for an operation, by what it takes. */
export type OperationPlan<Call extends (input: never) => unknown> = Plan<NonNullable<Parameters<Call>[0]>>;

/** Whether a call changes something. */
export const isChange = (name: ApiCallName): name is ChangeName => !name.startsWith("GET ");
