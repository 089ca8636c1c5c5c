import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Credentials, CredentialsChange } from "#contract/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { getCredentials } from "./get-credentials.ts";
import { plainCredentials } from "./plain-credentials.ts";
import { planCredentials } from "./plan-credentials.ts";
import { saveChange } from "./save-change.ts";

/**
 * Changes the external services; see {@link CredentialsChange} for what stays. For admins and the operator, whether or
 * not the firewall manages the core settings. Throws a 422 with each field at fault, secrets that must be entered again
 * among them.
 */
export const updateCredentials = async (
  ctx: Context,
  input: CredentialsChange,
): Promise<{ success: true; message: string; data: Credentials }> => {
  const { plain, complaints } = await plainCredentials(ctx, input);
  await saveChange(ctx, { section: "credentials", action: "Changed external services" }, (stored) => {
    if (complaints.length > 0) throw validationError(complaints);
    return planCredentials(stored, plain, "demanded");
  });
  return { success: true, message: settingsTexts.servicesSaved, data: await getCredentials(ctx) };
};
