import { nameOfActor, personBehind, requireFactor, requireScope } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { declaredSettings } from "#contract/core-settings.ts";
import type { ChangedField } from "#contract/settings.ts";
import { readSettings } from "./read-settings.ts";
import type { SettingPlan } from "./setting-plan.ts";
import { type ChangeRow, insertChange, lockSettings, writeSecret, writeSection } from "./store.ts";
import { type StoredSettings, sealSecret, secretNames, sectionNames } from "./stored-settings.ts";

/** A change to be made: the section, its log entry, and the change that it reverts, if any. */
export type IntendedChange = { section: ChangeRow["section"]; action: string; revertsId?: number };

/** What was stored before, what changed, and the change's row; `null` if nothing changed. */
export type SavedChange = { plan: SettingPlan; stored: StoredSettings; change: ChangeRow | null };

/**
 * Makes a change of settings: everything that is written, its row in the history and its row in the log are one
 * transaction, and of two concurrent changes the second builds on the first. This process applies it before the promise
 * resolves, the others soon after. `plan` says what to change and throws what prevents it. Throws `FORBIDDEN` for a
 * token without `settings:security` that changes a service, a security switch or the account settings.
 */
export const saveChange = async (
  ctx: Context,
  { section, action, revertsId }: IntendedChange,
  plan: (stored: StoredSettings, tx: Database) => SettingPlan | Promise<SettingPlan>,
): Promise<SavedChange> => {
  const saved = await adminAction<SavedChange>(
    ctx,
    {
      type: "configuration_changed",
      severity: section === "core" ? "medium" : "high",
      action,
      described: ({ change, plan: { fields } }) => (change === null ? null : describe(fields)),
      events: ({ change }) => (change === null ? [] : [{ type: "settings-changed", generation: change.id }]),
    },
    async (tx) => {
      await lockSettings(tx);
      const stored = await readSettings(tx, ctx.secrets);
      const planned = await plan(stored, tx);
      if (planned.fields.some((field) => isAboutSecurity(section, field))) {
        requireScope(ctx, "settings:security");
        requireFactor(ctx);
      }
      await write(ctx, tx, planned);
      if (planned.fields.length === 0) return { plan: planned, stored, change: null };
      const change = await insertChange(tx, {
        section,
        changedAt: ctx.clock.now(),
        userId: personBehind(ctx.actor)?.id ?? null,
        changedBy: nameOfActor(ctx.actor),
        fields: planned.fields,
        revertsId: revertsId ?? null,
      });
      return { plan: planned, stored, change };
    },
  );
  if (saved.change !== null) await actOnIt(ctx);
  return saved;
};

/** Whether changing a field can remove what protects the installation. */
const isAboutSecurity = (section: ChangeRow["section"], { path }: ChangedField): boolean =>
  declaredSettings[section].settings.every(([own, { scope }]) => own !== path || scope !== "settings");

const write = async (ctx: Context, tx: Database, { sections, secrets }: SettingPlan): Promise<void> => {
  const now = ctx.clock.now();
  for (const section of sectionNames) {
    const value = sections[section];
    if (value !== undefined) await writeSection(tx, { section, value, now });
  }
  for (const name of secretNames) {
    const secret = secrets[name];
    if (secret === undefined) continue;
    const sealed = secret === null ? null : sealSecret(ctx.secrets, { name, ...secret });
    await writeSecret(tx, { name, sealed, now });
  }
};

const actOnIt = async (ctx: Context): Promise<void> => {
  try {
    await ctx.settings.refresh();
  } catch (error) {
    // It is stored, which is what was requested; this process reads it as soon as it can.
    ctx.log.warn("a change of settings is stored but not in use yet", { error: describeError(error) });
  }
};

/** A change in the log: plain fields with both values; for secrets, what was done. */
const describe = (fields: ChangedField[]) => {
  const visible = fields.flatMap((field) => (field.isSecret ? [] : [field]));
  const actions = fields.flatMap((field) => (field.isSecret ? [`${field.path} ${field.deed}`] : []));
  return {
    description: [...visible.map(({ path }) => path), ...actions].join(", "),
    before: Object.fromEntries(visible.map(({ path, before }) => [path, before])),
    after: {
      ...Object.fromEntries(visible.map(({ path, after }) => [path, after])),
      // Under a name that doesn't suggest a secret: the log omits the values of such names.
      ...(actions.length === 0 ? {} : { sealed: actions }),
    },
  };
};
