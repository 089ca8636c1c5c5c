import type { PluginRequest, PluginResponse } from "#plugins/sdk/types.ts";

type Refusal = { status: number; code: string; message: string };

/** A refusal of a call in the shape that all of the application's have. */
export const refusal = (
  { id }: Pick<PluginRequest, "id">,
  { status, code, message }: Refusal,
): PluginResponse => ({ status, json: { success: false, code, message, requestId: id } });
