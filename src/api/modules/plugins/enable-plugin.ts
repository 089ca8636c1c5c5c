import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { PluginState } from "#contract/plugins.ts";
import { type Catalogue, getInstalled, type Installed, readCatalogue } from "./catalogue.ts";
import { changePlugins } from "./change-plugins.ts";
import { type Consent, requireConsent } from "./consent.ts";
import { selectReplicas } from "./data-store.ts";
import { checkDependencies, titleIn } from "./dependencies.ts";
import { notingFailure } from "./noting-failure.ts";
import { deletePackages } from "./package-object.ts";
import { requireOwnPublisher } from "./publisher.ts";
import { grantsFor, putInForce } from "./put-in-force.ts";
import { updatePlugin } from "./store.ts";
import { verifyStored } from "./stored-package.ts";
import { requireUnchanged } from "./stored-upload.ts";
import { withTrial } from "./trial.ts";
import { readTrustedKeys } from "./trusted-keys.ts";

type EnableInput = { name: string; consent: Consent };

/** Enables a plugin once it has started here; resolves to what was done, for people. */
export const enablePlugin = async (ctx: Context, input: EnableInput): Promise<string> => {
  const { name } = input;
  const entry = {
    type: "plugin_enabled",
    action: "Enabled a plugin",
    severity: "medium",
    pluginName: name,
  } as const;
  const prepared = await notingFailure(ctx, entry, () => prepare(ctx, input));
  const title = titleIn(prepared.installed);
  if (prepared.verified === null) return startAgain(ctx, prepared.installed);
  const { installed, verified } = prepared;
  const { row, current } = installed;
  const inForce = { installed, verified, hasConsent: input.consent.isGiven };
  const candidate = {
    ...{ name, version: row.version, sha256: current.sha256, objectKey: current.objectKey },
    storedAt: current.uploadedAt,
    granted: grantsFor(inForce),
    migrateFrom: row.migratedVersion === row.version ? null : row.migratedVersion,
  };
  const commit = () =>
    changePlugins(ctx, { ...entry, description: title, after: { version: row.version } }, async (held) => {
      requireUnchanged(held.catalogue.installed.get(name), installed);
      checkDependencies(held.catalogue, current.manifest);
      return putInForce(held, { ...inForce, isEnabled: true });
    });
  const unused = await notingStart(ctx, installed, () => withTrial(ctx, candidate, commit));
  await deletePackages(ctx, unused);
  await ctx.plugins.converge([name]);
  return ctx.plugins.isSafeMode ? pluginTexts.enabledInSafeMode(title) : pluginTexts.enabled(title);
};

type Prepared = { installed: Installed; verified: VerifiedPackage | null };

/** Looks at everything that could stand against it; `verified` is `null` for a plugin that is enabled already. */
const prepare = async (ctx: Context, { name, consent }: EnableInput): Promise<Prepared> => {
  const catalogue: Catalogue = await readCatalogue(ctx.db);
  const installed = getInstalled(catalogue, name);
  if (installed.row.isEnabled) {
    if (hasFailed(ctx, name)) await verifyStored(ctx, installed.current);
    return { installed, verified: null };
  }
  checkDependencies(catalogue, installed.current.manifest);
  const verified = await verifyStored(ctx, installed.current);
  const asking = { verified, row: installed.row };
  requireOwnPublisher(asking, await readTrustedKeys(ctx, ctx.db));
  requireConsent(consent, asking);
  return { installed, verified };
};

const hasFailed = ({ plugins }: Context, name: string): boolean => isDown(plugins.observe(name).state);

const isDown = (state: PluginState): boolean => state === "failed" || state === "quarantined";

/** What is enabled need not run: one that failed, on whichever server, is started once more. */
const startAgain = async (ctx: Context, installed: Installed): Promise<string> => {
  const { name } = installed.row;
  const title = titleIn(installed);
  if (ctx.plugins.isSafeMode) return pluginTexts.enabledInSafeMode(title);
  const replicas = await selectReplicas(ctx.db, name);
  if (!hasFailed(ctx, name) && !replicas.some(({ state }) => isDown(state)))
    return pluginTexts.enabledAlready(title);
  await changePlugins(
    ctx,
    {
      type: "plugin_enabled",
      action: "Had a plugin started again",
      severity: "medium",
      pluginName: name,
      description: title,
    },
    async ({ tx, catalogue, raise }) => {
      getInstalled(catalogue, name);
      // A wish of a new number ends the pauses of the former one, on every server.
      await updatePlugin(tx, name, { generation: await raise() });
    },
  );
  await ctx.plugins.converge([name]);
  const { error } = ctx.plugins.observe(name);
  if (hasFailed(ctx, name))
    throw new AppError("PLUGIN_START_FAILED", pluginTexts.startFailed(title, error ?? ""));
  return pluginTexts.enabled(title);
};

/** A start that fails stands in the log as the plugin's failure, and the plugin says why until it is enabled. */
const notingStart = async <T>(ctx: Context, installed: Installed, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "PLUGIN_START_FAILED") throw error;
    const { name } = installed.row;
    await changePlugins(
      ctx,
      {
        type: "plugin_failed",
        action: "A plugin could not start",
        status: "failure",
        severity: "high",
        description: error.message,
        pluginName: name,
      },
      async ({ tx, catalogue }) => {
        const row = catalogue.installed.get(name)?.row;
        // Beside a waiting version it would be taken for what keeps that one from running.
        if (row?.isEnabled === false && row.pendingVersion === null)
          await updatePlugin(tx, name, { pendingError: error.message });
      },
    );
    throw new AppError(error.kind, pluginTexts.startFailed(titleIn(installed), error.message), {
      cause: error,
    });
  }
};
