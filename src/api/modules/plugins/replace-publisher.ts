import { requireAdmin, requirePerson } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { publisherReplacedMail } from "#api/modules/mail/index.ts";
import { listAdmins } from "#api/modules/users/index.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Plugin, PublisherChange } from "#contract/plugins.ts";
import { makeActive, recordingFailure } from "./activation.ts";
import {
  changePlugins,
  checkDependencies,
  checkDependents,
  type HeldPlugins,
  inTurn,
  titleIn,
} from "./catalogue.ts";
import { deletePackages, verifyStored } from "./packages.ts";
import { showPlugin } from "./read-plugins.ts";
import {
  deleteTraces,
  deleteUses,
  getInstalled,
  type Installed,
  readCatalogue,
  type StoredVersion,
  updatePlugin,
} from "./store.ts";
import { disablePlugin, enablePlugin } from "./toggle-plugin.ts";
import { beginningOf, publisherChange, readTrustedKeys, requireConsent, shelve, unshelve } from "./trust.ts";

/** The kept version of another publisher; with `sha256`, only if it is still that package. */
export type ReplacePublisherInput = { name: string; version: string; sha256?: string | undefined };

/**
 * Gives a plugin's name to another publisher's version, with everything that it requests. It starts without the former
 * publisher's settings, secrets, values, files and grants, which are kept for that one; what was kept for the new
 * publisher is restored. A running plugin is stopped first, with those that need it, and started again. For admins and
 * the operator; all admins get an email. Throws `SESSION_REQUIRED` for tokens, `PLUGIN_NOT_FOUND`, `NOT_FOUND`,
 * `CONFLICT` for a version of the same publisher, `CONSENT_REQUIRED` for another package, `PLUGIN_UNTRUSTED`,
 * `DEPENDENCY_DISABLED`, `PLUGIN_NEEDED`, and `PLUGIN_START_FAILED`: then the version is active, and disabled.
 */
export const replacePublisher = async (
  ctx: Context,
  { name, version, sha256 }: ReplacePublisherInput,
): Promise<{ message: string; data: Plugin }> => {
  requirePerson(ctx);
  requireAdmin(ctx);
  return inTurn(ctx, name, async () => {
    const prepared = await recordingFailure(
      ctx,
      () => ({ ...act, pluginName: name }),
      () => prepare(ctx, { name, version, sha256 }),
    );
    const { installed, target, change } = prepared;
    const wasEnabled = installed.row.isEnabled;
    const stopped = wasEnabled ? await disablePlugin(ctx, { name }) : null;
    const unused = await changePlugins<(string | null)[]>(
      ctx,
      {
        ...act,
        pluginName: name,
        description: pluginTexts.publisherChangedTo(titleIn(installed), change.fromName, change.toName),
        before: { version: installed.row.version, publisher: change.from },
        after: { version, publisher: change.to, sha256: target.sha256 },
      },
      (held) => swap(ctx, held, prepared),
    );
    ctx.mail.wake();
    await deletePackages(ctx, unused);
    await ctx.plugins.converge([name]);
    const consent = { isGiven: true, sha256: target.sha256 };
    const started = wasEnabled ? await enablePlugin(ctx, { name, consent }) : null;
    const replaced = pluginTexts.publisherReplaced(target.manifest.title, version, change.toName);
    return {
      message: [stopped, replaced, started].filter((part) => part !== null).join(". "),
      data: await showPlugin(ctx, name),
    };
  });
};

const act = {
  type: "plugin_updated",
  action: "Replaced a plugin's publisher",
  severity: "critical",
} as const;

type Prepared = {
  installed: Installed;
  target: StoredVersion;
  verified: VerifiedPackage;
  change: PublisherChange;
};

/** Checks everything that could prevent it. */
const prepare = async (
  ctx: Context,
  { name, version, sha256 }: Omit<ReplacePublisherInput, "password">,
): Promise<Prepared> => {
  const catalogue = await readCatalogue(ctx.db);
  const installed = getInstalled(catalogue, name);
  const target = installed.versions.find((kept) => kept.version === version);
  if (target === undefined) throw new AppError("NOT_FOUND", pluginTexts.unknownVersion);
  const verified = await verifyStored(ctx, target);
  const { row } = installed;
  const change = publisherChange({ verified, row }, await readTrustedKeys(ctx, ctx.db));
  if (change === null)
    throw new AppError("CONFLICT", pluginTexts.publisherSame(verified.manifest.title, version));
  requireConsent({ isGiven: true, sha256: sha256 ?? null }, { verified, row });
  if (row.isEnabled) {
    checkDependencies(catalogue, target.manifest);
    checkDependents(catalogue, target.manifest);
  }
  return { installed, target, verified, change };
};

/** Activates the version while nothing of the plugin runs. Resolves to keys of packages that are no longer kept. */
const swap = async (
  ctx: Context,
  held: HeldPlugins,
  { target, verified, change }: Prepared,
): Promise<(string | null)[]> => {
  const { tx, catalogue, now } = held;
  const { name, title } = verified.manifest;
  const { row, versions } = getInstalled(catalogue, name);
  const isStill = versions.some(
    ({ version, sha256 }) => version === target.version && sha256 === target.sha256,
  );
  if (row.isEnabled || !isStill) throw new AppError("CONFLICT", pluginTexts.changedMeanwhile);
  const generation = await held.raise();
  const beginning = beginningOf(catalogue, { name, publisher: change.to, generation });
  await shelve(tx, catalogue, { row, now });
  await unshelve(tx, name, change.to);
  await deleteTraces(tx, name);
  await deleteUses(tx, name);
  await updatePlugin(tx, name, beginning);
  const unused = await makeActive(held, {
    installed: { row: { ...row, ...beginning, publisherKeyId: null }, versions },
    verified,
    hasConsent: true,
    isEnabled: false,
  });
  const link = `${ctx.appUrl}/admin/plugins/${name}`;
  for (const { name: to, email } of await listAdmins(tx))
    await ctx.mail.enqueue(tx, {
      to: email,
      ...publisherReplacedMail({ name: to, plugin: title, ...change, link, ...circumstancesOf(ctx) }),
    });
  return unused;
};
