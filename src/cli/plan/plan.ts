import type { ApiCallName, ApiInput, ApiUploadName } from "#cli/api-calls.ts";
import type { Client } from "#cli/client.ts";

/** What a call would do, in words. Throws what can be seen to stand against it. */
export type Plan<Input> = (client: Client, input: Input) => Promise<string>;

/** The calls that change something. */
export type ChangeName = Exclude<ApiCallName, `GET ${string}` | ApiUploadName>;

/** Plans for some of them. */
export type Plans<Name extends ChangeName> = { [Each in Name]: Plan<ApiInput<Each>> };

/** Whether a call changes something. */
export const isChange = (name: ApiCallName): name is ChangeName => !name.startsWith("GET ");
