import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Plugin } from "#contract/plugins.ts";
import { advanceStored, recordingFailure } from "./activation.ts";
import { checkDependencies, checkDependents, inTurn } from "./catalogue.ts";
import { movedTo, updated } from "./install-package.ts";
import { deletePackages, verifyStored } from "./packages.ts";
import { showPlugin } from "./read-plugins.ts";
import { type Catalogue, getInstalled, type Installed, readCatalogue, type StoredVersion } from "./store.ts";
import {
  type Consent,
  type ConsentInput,
  consentIn,
  readTrustedKeys,
  requireConsent,
  requirePersonFor,
  requireSamePublisher,
} from "./trust.ts";

/**
 * The kept version to activate; `consent` grants everything that it requests; with `sha256`, only if it is still that
 * package.
 */
export type ActivateInput = { name: string; version: string } & ConsentInput;

/**
 * Activates a kept version: a pending one, one that could not start before, or an older one. For an enabled plugin it
 * is started next to the active one first, which keeps running if that fails. For admins and the operator. Throws
 * `PLUGIN_NOT_FOUND`, `NOT_FOUND`, `PLUGIN_UNTRUSTED`, and for an enabled plugin `DEPENDENCY_DISABLED`,
 * `PLUGIN_NEEDED`, `CONSENT_REQUIRED` with what to consent to, and `PLUGIN_START_FAILED`. `PUBLISHER_CHANGED` for
 * another publisher's version, and `SESSION_REQUIRED` for a token that consents, or goes back to what an earlier
 * release of Atrium shipped.
 */
export const activateVersion = async (
  ctx: Context,
  input: ActivateInput,
): Promise<{ message: string; data: Plugin }> => {
  requireAdmin(ctx);
  const { name, version } = input;
  const consent = consentIn(ctx, input);
  return inTurn(ctx, name, async () => {
    const message = await activate(ctx, { name, version, consent });
    return { message, data: await showPlugin(ctx, name) };
  });
};

type Activation = { name: string; version: string; consent: Consent };
type Prepared = { installed: Installed; target: StoredVersion; verified: VerifiedPackage | null };

const activate = async (ctx: Context, input: Activation): Promise<string> => {
  const { name, version } = input;
  const entry = {
    type: "plugin_updated",
    action: "Updated a plugin",
    severity: "medium",
    pluginName: name,
  } as const;
  const { installed, target, verified } = await recordingFailure(
    ctx,
    () => entry,
    () => prepare(ctx, input),
  );
  const { isEnabled } = installed.row;
  if (verified === null) {
    // One that stopped because of a failure is started again.
    await ctx.plugins.converge([name]);
    return pluginTexts.inForce(target.manifest.title, version);
  }
  const { sha256, objectKey, uploadedAt: storedAt } = target;
  const unused = await advanceStored(ctx, {
    ...{ installed, verified, hasConsent: input.consent.isGiven, isEnabled },
    stored: { sha256, objectKey, storedAt },
    check: (catalogue) => checkNeeds(catalogue, target),
    act: {
      ...{ ...entry, ...updated(installed, { verified }) },
      type: isEnabled ? "plugin_hot_reloaded" : "plugin_updated",
    },
  });
  await deletePackages(ctx, unused);
  await ctx.plugins.converge([name]);
  return movedTo(installed, { verified });
};

/** Checks everything that could prevent it; `verified` is `null` for the version that is already active. */
const prepare = async (ctx: Context, { name, version, consent }: Activation): Promise<Prepared> => {
  const catalogue = await readCatalogue(ctx.db);
  const installed = getInstalled(catalogue, name);
  const target = installed.versions.find((kept) => kept.version === version);
  if (target === undefined) throw new AppError("NOT_FOUND", pluginTexts.unknownVersion);
  if (version === installed.row.version) return { installed, target, verified: null };
  if (installed.row.isEnabled) checkNeeds(catalogue, target);
  const verified = await verifyStored(ctx, target);
  requirePersonFor(ctx, verified);
  const { row } = installed;
  requireSamePublisher({ verified, row }, await readTrustedKeys(ctx, ctx.db));
  // A disabled plugin needs consent when it is enabled, unless it is given now.
  if (row.isEnabled || consent.isGiven) requireConsent(consent, { verified, row });
  return { installed, target, verified };
};

const checkNeeds = (catalogue: Catalogue, { manifest }: StoredVersion): void => {
  checkDependencies(catalogue, manifest);
  checkDependents(catalogue, manifest);
};
