import { noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { inTurn } from "./serial.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

// No plugin has that name: packages are read one after the other, for each can take 60 MB.
const reading = "reading packages";

/** Reads and verifies a package that came along. Throws `PLUGIN_INVALID` and `PAYLOAD_TOO_LARGE`. */
export const verifyUpload = (ctx: Context, bytes: Uint8Array): Promise<VerifiedPackage> =>
  inTurn(ctx, reading, async () => ctx.plugins.read(bytes, { keys: await readTrustedKeys(ctx, ctx.db) }));

/** Does something about an upload; when it is refused, one row in the log tells of it. Throws what `work` throws. */
export const notingRefusal = async <T>(
  ctx: Context,
  pluginName: string | null,
  work: () => T | Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // What is no refusal is a fault of ours: the application's log has it.
    if (error instanceof AppError) {
      const refused = signedPlugin(error);
      const name = pluginName ?? refused;
      noteActivity(ctx, {
        ...refusal,
        type: refused === null ? refusal.type : "signature_failed",
        status: "failure",
        description: error.message,
        ...(name === null ? {} : { pluginName: name }),
      });
    }
    throw error;
  }
};

/** How the refusal of a package stands in the log. */
export const refusal = {
  type: "plugin_failed",
  action: "Refused a plugin package",
  severity: "medium",
} as const;

/** The plugin whose package was refused for its signature; `null` for any other refusal. */
const signedPlugin = ({ data }: AppError): string | null =>
  typeof data === "object" && data !== null && "signature" in data && "plugin" in data
    ? String(data.plugin)
    : null;
