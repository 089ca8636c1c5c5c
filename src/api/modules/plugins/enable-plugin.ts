import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { type Catalogue, getInstalled, type Installed, readCatalogue } from "./catalogue.ts";
import { changePlugins } from "./change-plugins.ts";
import { consentRequired, needsConsent } from "./consent.ts";
import { checkDependencies, titleIn } from "./dependencies.ts";
import { notingFailure } from "./noting-failure.ts";
import { deletePackages } from "./package-object.ts";
import { grantsFor, putInForce } from "./put-in-force.ts";
import { verifyStored } from "./stored-package.ts";
import { requireUnchanged } from "./stored-upload.ts";
import { withTrial } from "./trial.ts";

type EnableInput = { name: string; hasConsent: boolean };

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
  if (prepared.verified === null) return pluginTexts.enabledAlready(title);
  const { installed, verified } = prepared;
  const { row, current } = installed;
  const inForce = { installed, verified, hasConsent: input.hasConsent };
  const candidate = {
    ...{ name, version: row.version, sha256: current.sha256, objectKey: current.objectKey },
    granted: grantsFor(inForce),
    migrateFrom: row.migratedVersion === row.version ? null : row.migratedVersion,
  };
  const commit = () =>
    changePlugins(ctx, { ...entry, description: title, after: { version: row.version } }, async (held) => {
      requireUnchanged(held.catalogue.installed.get(name), installed);
      checkDependencies(held.catalogue, current.manifest);
      return putInForce(held, { ...inForce, isEnabled: true });
    });
  const unused = await notingStart(ctx, title, name, () => withTrial(ctx, candidate, commit));
  await deletePackages(ctx, unused);
  await ctx.plugins.converge([name]);
  return pluginTexts.enabled(title);
};

type Prepared = { installed: Installed; verified: VerifiedPackage | null };

/** Looks at everything that could stand against it; `verified` is `null` for a plugin that is enabled already. */
const prepare = async (ctx: Context, { name, hasConsent }: EnableInput): Promise<Prepared> => {
  const catalogue: Catalogue = await readCatalogue(ctx.db);
  const installed = getInstalled(catalogue, name);
  if (installed.row.isEnabled) return { installed, verified: null };
  checkDependencies(catalogue, installed.current.manifest);
  const verified = await verifyStored(ctx, installed.current);
  if (!hasConsent && needsConsent({ verified, row: installed.row })) throw consentRequired(verified);
  return { installed, verified };
};

/** A start that fails stands in the log as the plugin's failure. */
const notingStart = <T>(
  ctx: Context,
  title: string,
  pluginName: string,
  work: () => Promise<T>,
): Promise<T> =>
  notingFailure(
    ctx,
    { type: "plugin_failed", action: "A plugin could not start", severity: "high", pluginName },
    work,
    (error) => error.kind === "PLUGIN_START_FAILED",
  ).catch((error: unknown) => {
    throw error instanceof AppError && error.kind === "PLUGIN_START_FAILED"
      ? new AppError(error.kind, pluginTexts.startFailed(title, error.message), { cause: error })
      : error;
  });
