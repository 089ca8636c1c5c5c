import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { Credentials, CredentialsChange } from "./contract.ts";
import { getCredentials } from "./get-credentials.ts";
import { plainCredentials } from "./plain-credentials.ts";
import { planCredentials } from "./plan-credentials.ts";
import { saveChange } from "./save-change.ts";
import type { SettingPlan } from "./setting-plan.ts";

/**
 * Changes the external services; see {@link CredentialsChange} for what stays. For admins and the operator, whether or
 * not the firewall manages the core settings. Throws a 422 with each field at fault, secrets that must be entered again
 * among them.
 */
export const updateCredentials = async (
  ctx: Context,
  input: CredentialsChange,
): Promise<{ message: string; data: Credentials }> => {
  const { plain, complaints } = await plainCredentials(ctx, input);
  const { plan } = await saveChange(
    ctx,
    { section: "credentials", action: "Changed external services" },
    (stored) => {
      if (complaints.length > 0) throw validationError(complaints);
      return planCredentials(stored, plain, "demanded");
    },
  );
  return { message: messageFor(plan), data: await getCredentials(ctx) };
};

/** That an emptied endpoint took its secrets along is said: they can't be brought back. */
const messageFor = ({ fields }: SettingPlan): string => {
  const emptied = fields.flatMap((field) =>
    !field.isSecret && field.after === "" && field.path !== "cloudflareR2.bucket"
      ? [field.path.split(".")[0]]
      : [],
  );
  const hasLost = fields.some(
    (field) => field.isSecret && field.deed === "removed" && emptied.includes(field.path.split(".")[0]),
  );
  return hasLost ? settingsTexts.servicesSavedAndEmptied : settingsTexts.servicesSaved;
};
