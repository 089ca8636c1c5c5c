import { requireAdmin, requireFactor } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Plugin, PluginState } from "#contract/plugins.ts";
import { advanceStored, recordingFailure } from "./activation.ts";
import {
  changePlugins,
  checkDependencies,
  enabledDependents,
  type HeldPlugins,
  inTurn,
  titleIn,
} from "./catalogue.ts";
import { deletePackages, verifyStored } from "./packages.ts";
import { showPlugin } from "./read-plugins.ts";
import {
  type Catalogue,
  getInstalled,
  type Installed,
  readCatalogue,
  selectReplicas,
  updatePlugin,
} from "./store.ts";
import {
  type Consent,
  type ConsentInput,
  consentIn,
  readTrustedKeys,
  requireConsent,
  requireOwnPublisher,
} from "./trust.ts";

const firewallName = "firewall";

/**
 * The target state of a plugin; `consent` grants everything that it requests; with `sha256`, only if it is still that
 * package.
 */
type ToggleInput = { name: string; enabled: boolean } & ConsentInput;

/**
 * Enables or disables a plugin, and waits until that is done on this server. Does nothing if it is already so, except
 * that an enabled plugin that is not running is started again. For admins and the operator. Throws `PLUGIN_NOT_FOUND`,
 * for a token that consents `SESSION_REQUIRED`, and when enabling `DEPENDENCY_DISABLED`, `PLUGIN_UNTRUSTED`,
 * `PUBLISHER_CHANGED`, `CONSENT_REQUIRED` with what to consent to, and `PLUGIN_START_FAILED`.
 */
export const togglePlugin = async (
  ctx: Context,
  { name, enabled, ...given }: ToggleInput,
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  const consent = consentIn(ctx, given);
  // Without it, requests are not filtered anymore.
  if (!enabled && name === firewallName) requireFactor(ctx.actor, ctx.clock.now());
  return inTurn(ctx, name, async () => {
    const message = enabled ? await enablePlugin(ctx, { name, consent }) : await disablePlugin(ctx, { name });
    return { message, data: await showPlugin(ctx, name) };
  });
};

type EnableInput = { name: string; consent: Consent };

/** Enables a plugin once it has started here; resolves to a message about what was done. */
export const enablePlugin = async (ctx: Context, input: EnableInput): Promise<string> => {
  const { name } = input;
  const entry = {
    type: "plugin_enabled",
    action: "Enabled a plugin",
    severity: "medium",
    pluginName: name,
  } as const;
  const prepared = await recordingFailure(
    ctx,
    () => entry,
    () => prepare(ctx, input),
  );
  const title = titleIn(prepared.installed);
  if (prepared.verified === null) return startAgain(ctx, prepared.installed);
  const { installed, verified } = prepared;
  const { version, sha256, objectKey, uploadedAt: storedAt, manifest } = installed.current;
  const unused = await advanceStored(ctx, {
    ...{ installed, verified, hasConsent: input.consent.isGiven, isEnabled: true },
    stored: { sha256, objectKey, storedAt },
    check: (catalogue) => checkDependencies(catalogue, manifest),
    act: { ...entry, description: title, after: { version } },
  });
  await deletePackages(ctx, unused);
  await ctx.plugins.converge([name]);
  return ctx.plugins.isSafeMode ? pluginTexts.enabledInSafeMode(title) : pluginTexts.enabled(title);
};

type Prepared = { installed: Installed; verified: VerifiedPackage | null };

/** Checks everything that could prevent it; `verified` is `null` for a plugin that is already enabled. */
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

/** An enabled plugin may have failed on any server: then it is started again. */
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
      action: "Restarted a plugin",
      severity: "medium",
      pluginName: name,
      description: title,
    },
    async ({ tx, catalogue, raise }) => {
      getInstalled(catalogue, name);
      // A target state with a new number ends the pauses of the former one, on every server.
      await updatePlugin(tx, name, { generation: await raise() });
    },
  );
  await ctx.plugins.converge([name]);
  const { error } = ctx.plugins.observe(name);
  if (hasFailed(ctx, name))
    throw new AppError("PLUGIN_START_FAILED", pluginTexts.startFailed(title, error ?? ""));
  return pluginTexts.enabled(title);
};

/** The disabled plugins: those that need it first, the plugin itself last; empty if it was already disabled. */
type Disabled = { installed: Installed; off: Installed[] };

/** Disables a plugin after all that need it; resolves to a message about what was done. */
export const disablePlugin = async (ctx: Context, { name }: { name: string }): Promise<string> => {
  const { installed, off } = await changePlugins<Disabled>(
    ctx,
    {
      type: "plugin_disabled",
      action: "Disabled a plugin",
      severity: "medium",
      pluginName: name,
      described: (done) => (done.off.length === 0 ? null : { description: titleIn(done.installed) }),
    },
    async (held) => {
      const found = getInstalled(held.catalogue, name);
      if (!found.row.isEnabled) return { installed: found, off: [] };
      const others = enabledDependents(held.catalogue, name);
      await disableDependents(held, found, others);
      await switchOff(held, name);
      return { installed: found, off: [...others, found] };
    },
  );
  if (off.length === 0) return pluginTexts.disabledAlready(titleIn(installed));
  await ctx.plugins.converge(off.map(({ row }) => row.name));
  return pluginTexts.disabled(titleIn(installed), off.slice(0, -1).map(titleIn));
};

/** Disables the plugins that need a plugin, with a row in the log for each. */
export const disableDependents = async (
  held: HeldPlugins,
  needed: Installed,
  dependents: readonly Installed[],
): Promise<void> => {
  for (const dependent of dependents) {
    await switchOff(held, dependent.row.name);
    await held.record({
      type: "plugin_disabled",
      action: "Disabled a plugin that needs another",
      severity: "medium",
      description: `${titleIn(dependent)}, which needs ${titleIn(needed)}`,
      pluginName: dependent.row.name,
    });
  }
};

/** Disables one plugin; `quarantineReason` if no admin asked for it. */
export const switchOff = async (
  { tx, now, raise }: HeldPlugins,
  name: string,
  quarantineReason: string | null = null,
): Promise<void> =>
  updatePlugin(tx, name, { isEnabled: false, quarantineReason, generation: await raise(), updatedAt: now });
