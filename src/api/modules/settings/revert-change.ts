import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import type { CoreSettingsChange, CredentialsChange, SettingsChange } from "#contract/settings.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { plainCredentials } from "./plain-credentials.ts";
import { planCore } from "./plan-core.ts";
import { planCredentials } from "./plan-credentials.ts";
import { saveChange } from "./save-change.ts";
import { type ChangeRow, findChange, selectNewestByField } from "./store.ts";
import { toSettingsChange } from "./to-settings-change.ts";

/**
 * Takes a change back, as far as it was not about secrets; that is a change itself. An endpoint that goes back to another
 * server leaves its secrets behind: they are removed, never sent there. For admins and the operator. Throws `NOT_FOUND`,
 * `CONFLICT` when something of it was changed again later or nothing is left to bring back, `MANAGED_BY_FIREWALL`, and a
 * 422 when the former values are not accepted any more.
 */
export const revertChange = async (
  ctx: Context,
  { id }: { id: string },
): Promise<{ success: true; message: string; data: SettingsChange }> => {
  requireAdmin(ctx);
  const found = await findChange(ctx.db, idIn(id));
  const section = found?.section ?? "core";
  const { change } = await saveChange(
    ctx,
    { section, action: "Took a change of settings back", revertsId: found?.id ?? 0 },
    async (stored, tx) => {
      if (found === null) throw new AppError("NOT_FOUND", settingsTexts.unknownChange);
      const former = formerValues(found);
      if (Object.keys(former).length === 0) throw new AppError("CONFLICT", settingsTexts.nothingToRevert);
      if (!toSettingsChange(found, await selectNewestByField(tx)).canRevert)
        throw new AppError("CONFLICT", settingsTexts.changedSince);
      if (section === "core") return planCore(ctx, stored, former);
      const { plain, complaints } = await plainCredentials(ctx, former);
      if (complaints.length > 0) throw validationError(complaints);
      return planCredentials(stored, plain, "removed");
    },
  );
  if (change === null) throw new AppError("CONFLICT", settingsTexts.changedSince);
  const data = toSettingsChange(change, new Map());
  const lostSecrets = data.fields.some(({ isSecret }) => isSecret);
  return {
    success: true,
    message: lostSecrets ? settingsTexts.revertedWithoutSecrets : settingsTexts.reverted,
    data,
  };
};

/** The number in the path; whatever is none is the number of no change. */
const idIn = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

/** What the fields that are not secret were before, by section and name, as a change would bring it. */
const formerValues = ({ fields }: ChangeRow): CoreSettingsChange & CredentialsChange => {
  const former: Record<string, Record<string, unknown>> = {};
  for (const field of fields) {
    const [section, name] = field.path.split(".");
    if (field.isSecret || section === undefined || name === undefined) continue;
    former[section] = { ...former[section], [name]: field.before };
  }
  return former;
};
