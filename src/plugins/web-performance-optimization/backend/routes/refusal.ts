import type { PluginResponse } from "#plugins/sdk/types.ts";

/** A refusal in the shape that all of the application's have. */
export const refusal = (status: number, code: string, message: string): PluginResponse => ({
  status,
  json: { success: false, code, message },
});
