import { requireAdmin } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { type EnvironmentProvider, isOverruled, redirectUriOf } from "#api/core/providers.ts";
import type { AddedProviders, ProviderTarget, StoredSettings } from "#api/core/settings.ts";
import {
  clientSecretOf,
  readSettings,
  runTest,
  type SettingPlan,
  saveChange,
  toOidcProvider,
} from "#api/modules/settings/index.ts";
import { keepsAdmin, type SignInOffer } from "#api/modules/users/index.ts";
import type { Complaint } from "#contract/account-rules.ts";
import { changedSettings, withChange } from "#contract/define-settings.ts";
import { hasForeignPort, plainServiceUrl } from "#contract/endpoints.ts";
import { fieldTexts } from "#contract/errors.ts";
import {
  mostProviders,
  onceGone,
  type ProviderSettings,
  type ProviderState,
  providerIdComplaint,
  providerSettings,
  providerTexts,
  sentences,
  titleFromId,
} from "#contract/provider-settings.ts";
import { type ChangedField, settingsTexts } from "#contract/settings.ts";
import {
  type RemovedProvider,
  type SetProviderInput,
  type SignInProvider,
  type TestProviderInput,
  warningOf,
} from "./contract.ts";
import { countAdminsByGroup, countLinked, endSessionsOfAdminsBy } from "./store.ts";

/**
 * Adds a sign-in provider, or changes the given settings of one; in effect here immediately and within a second on every
 * replica. For admins in a session and the operator. Throws `CONFLICT` for one that the environment configures, `LAST_ADMIN` if no
 * admin could sign in afterwards, and a 422 with each invalid field, including a client secret that must be entered again.
 */
export const setProvider = async (
  ctx: Context,
  { provider: id, clientSecret = "", ...change }: SetProviderInput,
): Promise<{ message: string; data: SignInProvider }> => {
  const ended: string[] = [];
  await saveChange(
    ctx,
    { section: "providers", action: "Changed a sign-in provider" },
    async (stored, tx) => {
      const plan = await planProvider(ctx, stored, { id, secret: clientSecret.trim(), change });
      return keepingAdmins(ctx, tx, { id, stored, plan, ended });
    },
  );
  tellEnded(ctx, ended);
  const data = await showProvider(ctx, { provider: id });
  return { message: sentences(providerTexts.saved(data.settings.label), warningOf(data)), data };
};

type Planned = { id: string; stored: StoredSettings; plan: SettingPlan; ended: string[] };

/**
 * The plan, unless it leaves no administrator a way to sign in: then throws `LAST_ADMIN`. If the provider is no longer offered, the
 * sessions through it of the administrators whom it made end; adds the users to `ended`.
 */
const keepingAdmins = async (
  ctx: Context,
  tx: Database,
  { id, stored, plan, ended }: Planned,
): Promise<SettingPlan> => {
  const secret = plan.secrets[clientSecretOf(id)];
  const clientSecrets = secret ? { ...stored.clientSecrets, [id]: secret } : stored.clientSecrets;
  const after = { ...stored, ...plan.sections, clientSecrets };
  const offers = { before: offerWith(ctx, stored), after: offerWith(ctx, after) };
  if (!(await keepsAdmin(tx, offers))) throw new AppError("LAST_ADMIN", providerTexts.noAdminLeft);
  if (offers.before.providers.has(id) && !offers.after.providers.has(id))
    ended.push(...(await endSessionsOfAdminsBy(tx, id)));
  return plan;
};

const tellEnded = ({ events }: Context, ended: readonly string[]): void => {
  for (const userId of ended) events.publish({ type: "sessions-ended", userId });
};

/** The provider with the id; `undefined` without one, whatever the id. */
const addedProvider = (providers: AddedProviders, id: string): ProviderSettings | undefined =>
  Object.hasOwn(providers, id) ? providers[id] : undefined;

type Wish = { id: string; secret: string; change: object };

const planProvider = async (
  ctx: Context,
  stored: StoredSettings,
  { id, secret, change }: Wish,
): Promise<SettingPlan> => {
  refuseLocked(ctx, id);
  const former = addedProvider(stored.providers, id);
  if (former === undefined && Object.keys(stored.providers).length >= mostProviders)
    throw new AppError("CONFLICT", providerTexts.tooMany(mostProviders));
  const settings = await checkedSettings(ctx, stored, { id, former, change });
  const sealed = plannedSecret(ctx, stored, { id, secret, from: former?.issuer, to: settings.issuer });
  const fields = changedSettings(providerSettings, former ?? providerSettings.defaults, settings);
  return {
    fields: [...fields.map((field) => ({ ...field, path: `${id}.${field.path}` })), ...sealed.fields],
    sections: fields.length === 0 ? {} : { providers: { ...stored.providers, [id]: settings } },
    secrets: sealed.secrets,
  };
};

/** Refuses a provider that the environment configures. Throws `CONFLICT`, which says where it can be changed. */
const refuseLocked = ({ environmentProviders }: Context, id: string): void => {
  const locked = environmentProviders.find((provider) => provider.id === id);
  if (locked !== undefined)
    throw new AppError("CONFLICT", providerTexts.lockedByEnvironment(locked.label, variablesOf(locked)));
};

type Checked = { id: string; former: ProviderSettings | undefined; change: object };

/** The settings after a change. Throws a 422 with each invalid field. */
const checkedSettings = async (
  ctx: Context,
  stored: Pick<StoredSettings, "providers">,
  { id, former, change }: Checked,
): Promise<ProviderSettings> => {
  const before = former ?? { ...providerSettings.defaults, label: titleFromId(id) };
  const { values, errors } = withChange(providerSettings, before, change);
  const idComplaint = former === undefined ? providerIdComplaint(id) : null;
  if (idComplaint !== null) throw validationError([{ path: "provider", message: idComplaint }, ...errors]);
  if (errors.length > 0) throw validationError(errors);
  const settings = { ...values, issuer: plainServiceUrl(values.issuer) ?? values.issuer };
  const message = await issuerComplaint(ctx, stored.providers, { id, issuer: settings.issuer });
  if (message !== null) throw validationError([{ path: "issuer", message }]);
  return settings;
};

type Named = { id: string; issuer: string };

// A subject can't belong to two providers, and no address is called that nothing may be sent to.
const issuerComplaint = async (
  { isCallableHost, environmentProviders }: Context,
  providers: AddedProviders,
  { id, issuer }: Named,
): Promise<Complaint> => {
  const others = Object.entries(providers).map(([other, { label, issuer: theirs }]) => ({
    id: other,
    label,
    issuer: theirs,
  }));
  const holder = [...environmentProviders, ...others].find(
    (other) => other.id !== id && other.issuer === issuer,
  );
  if (holder !== undefined) return providerTexts.issuerTaken(holder.label);
  const isCallable = !hasForeignPort(issuer) && (await isCallableHost(new URL(issuer).hostname));
  return isCallable ? null : settingsTexts.addressRefused;
};

type SecretWish = { id: string; secret: string; from: string | undefined; to: string };
type PlannedSecret = Pick<SettingPlan, "fields" | "secrets">;

/** What becomes of the client secret. Throws a 422 where it is missing, or has to be entered again. */
const plannedSecret = (
  { isDryRun }: Pick<Context, "isDryRun">,
  { clientSecrets }: StoredSettings,
  { id, secret, from, to }: SecretWish,
): PlannedSecret => {
  const kept = { fields: [], secrets: {} };
  const held = Object.hasOwn(clientSecrets, id) ? clientSecrets[id] : undefined;
  if (secret === "") {
    const message = secretComplaint(held, from, to);
    if (message !== null) throw validationError([{ path: "clientSecret", message }]);
    return kept;
  }
  // A plan says "replaced" for every secret that is entered: otherwise a stored one could be guessed without a trace.
  if (held?.value === secret && from === to && isDryRun !== true) return kept;
  const deed = held === undefined ? "set" : "replaced";
  return {
    fields: [{ path: `${id}.clientSecret`, isSecret: true, deed }],
    secrets: { [clientSecretOf(id)]: { value: secret, endpoint: to } },
  };
};

/** What stands against using the stored client secret for an issuer. */
const secretComplaint = (
  held: { value: string | null } | undefined,
  from: string | undefined,
  to: string,
): Complaint => {
  if (held === undefined || from === undefined) return fieldTexts.required;
  // On a shared host the path names the tenant, so another issuer on the same server may be someone else's.
  if (from !== to) return settingsTexts.enterAgain;
  return held.value === null ? settingsTexts.secretUnreadable : null;
};

/**
 * Removes a sign-in provider with its client secret; users stay linked to it. For admins in a session and the operator. Throws
 * `NOT_FOUND`, `CONFLICT` for one that only the environment configures, and `LAST_ADMIN` if no admin could sign in afterwards.
 */
export const removeProvider = async (
  ctx: Context,
  { provider: id }: { provider: string },
): Promise<{ message: string; data: RemovedProvider }> => {
  const { providers } = await listProviders(ctx);
  const used = providers.find((provider) => provider.id === id && provider.state === "on");
  const { usersWithoutOther, adminsByGroup } =
    used?.source === "settings" ? used : { usersWithoutOther: 0, adminsByGroup: 0 };
  const ended: string[] = [];
  const { stored } = await saveChange(
    ctx,
    { section: "providers", action: "Removed a sign-in provider" },
    (stored, tx) => keepingAdmins(ctx, tx, { id, stored, plan: planRemoval(ctx, stored, id), ended }),
  );
  tellEnded(ctx, ended);
  const label = addedProvider(stored.providers, id)?.label ?? id;
  const counts = { usersWithoutOther, adminsByGroup };
  return {
    message: sentences(providerTexts.removed(label), onceGone(counts)),
    data: { id, label, ...counts },
  };
};

const planRemoval = (ctx: Context, { providers, clientSecrets }: StoredSettings, id: string): SettingPlan => {
  const former = addedProvider(providers, id);
  if (former === undefined) {
    refuseLocked(ctx, id);
    throw new AppError("NOT_FOUND", providerTexts.unknown);
  }
  const others = Object.entries(providers).filter(([other]) => other !== id);
  const sealed: ChangedField[] = Object.hasOwn(clientSecrets, id)
    ? [{ path: `${id}.clientSecret`, isSecret: true, deed: "removed" }]
    : [];
  return {
    fields: [{ path: id, isSecret: false, before: former.issuer, after: null }, ...sealed],
    sections: { providers: Object.fromEntries(others) },
    secrets: { [clientSecretOf(id)]: null },
  };
};

/** All sign-in providers, those of the environment first. For admins and the operator. */
export const listProviders = async (
  ctx: Context,
): Promise<{ providers: SignInProvider[]; redirectUri: string }> => {
  requireAdmin(ctx);
  const stored = await readSettings(ctx.db, ctx.secrets);
  return {
    providers: await toldProviders(ctx, stored),
    redirectUri: redirectUriOf(ctx.appUrl, "{provider}"),
  };
};

/** One provider. For admins and the operator. Throws `NOT_FOUND`. */
export const showProvider = async (
  ctx: Context,
  { provider: id }: { provider: string },
): Promise<SignInProvider> => {
  const found = (await listProviders(ctx)).providers.find((provider) => provider.id === id);
  if (found === undefined) throw new AppError("NOT_FOUND", providerTexts.unknown);
  return found;
};

type Described = Pick<
  SignInProvider,
  "id" | "kind" | "source" | "lockedBy" | "state" | "settings" | "hasClientSecret"
> & {
  subjectIssuer: string;
};

const toldProviders = async (ctx: Context, stored: StoredSettings): Promise<SignInProvider[]> => {
  const all = describedBy(ctx, stored);
  // Of two with one id or issuer the one that is used has the users.
  const used = all.filter(({ state }) => state !== "overruled");
  const issuers = used.map(({ id, subjectIssuer: issuer }) => ({ id, issuer }));
  const linked = await countLinked(ctx.db, offerWith(ctx, stored), issuers);
  const admins = await countAdminsByGroup(ctx.db);
  return all.map(({ subjectIssuer, ...provider }) => {
    const { id, state, kind } = provider;
    return {
      ...provider,
      redirectUri: redirectUriOf(ctx.appUrl, id),
      logoutUri: kind === "github" ? null : `${ctx.appUrl}/api/auth/${id}/backchannel-logout`,
      ...{ users: 0, usersWithoutOther: 0, usersElsewhere: 0, adminsByGroup: 0 },
      ...(state === "overruled" ? {} : { ...linked.get(id), adminsByGroup: admins.get(id) ?? 0 }),
    };
  });
};

const describedBy = (ctx: Context, stored: StoredSettings): Described[] => [
  ...ctx.environmentProviders.map(ofEnvironment),
  ...added(ctx, stored),
];

/** What there is to sign in with, with these settings. */
const offerWith = (ctx: Context, stored: StoredSettings): SignInOffer => ({
  passkeyHost: ctx.passkeyHost,
  providers: new Map(
    describedBy(ctx, stored).flatMap(({ id, state, subjectIssuer: issuer }) =>
      state === "on" ? [[id, { issuer }]] : [],
    ),
  ),
});

const ofEnvironment = (provider: EnvironmentProvider): Described => ({
  ...{ id: provider.id, kind: provider.kind, source: "environment", state: "on", hasClientSecret: true },
  lockedBy: variablesOf(provider),
  settings: settingsOf(provider),
  subjectIssuer: provider.subjectIssuer,
});

/** The variables that configure a provider, as they are named to admins. */
const variablesOf = ({ id, kind }: Pick<EnvironmentProvider, "id" | "kind">): string =>
  `${kind === "oidc" ? "OIDC_" : ""}${id.toUpperCase()}_*`;

const settingsOf = ({
  label,
  issuer,
  clientId,
  claims,
  ...provider
}: EnvironmentProvider): ProviderSettings => {
  const { maySignUp, signUpDomains, groupRoles, isFactorTrusted } = provider.rules;
  return {
    ...{ isEnabled: true, label, issuer, clientId, claims: { ...claims }, maySignUp, isFactorTrusted },
    scopes: [...provider.scopes],
    trustedDomains: [...provider.trustedDomains],
    signUpDomains: [...(signUpDomains ?? [])],
    groupRoles: (groupRoles ?? []).map(({ group, role }) => `${group}:${role}`),
  };
};

const added = (ctx: Context, { providers, clientSecrets }: StoredSettings): Described[] =>
  Object.entries(providers)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, settings]) => {
      const hasClientSecret =
        Object.hasOwn(clientSecrets, id) && typeof clientSecrets[id]?.value === "string";
      const { issuer, isEnabled } = settings;
      const state = stateOf({
        isOverruled: isOverruled({ id, issuer }, ctx.environmentProviders),
        hasClientSecret,
        isEnabled,
      });
      return {
        ...{ id, kind: "oidc", source: "settings", lockedBy: null, state, settings, hasClientSecret },
        subjectIssuer: issuer,
      };
    });

type Facts = { isOverruled: boolean; hasClientSecret: boolean; isEnabled: boolean };

const stateOf = ({ isOverruled, hasClientSecret, isEnabled }: Facts): ProviderState => {
  if (isOverruled) return "overruled";
  if (!hasClientSecret) return "unreadable";
  return isEnabled ? "on" : "off";
};

/**
 * Tries a provider as it is stored, or as it would be with a change, and changes nothing. For admins in a session and the
 * operator. Throws a 422 for invalid fields, with nothing sent, `NOT_FOUND`, `CONFLICT` and `TEST_FAILED`.
 */
export const testProvider = (ctx: Context, input: TestProviderInput) =>
  runTest(ctx, {
    action: "Tested a sign-in provider",
    titles: { works: providerTexts.testWorks, fails: settingsTexts.providerFails },
    test: async () => ctx.connectionTests.provider(await targetOf(ctx, input)),
  });

const targetOf = async (
  ctx: Context,
  { provider: id, clientSecret = "", ...change }: TestProviderInput,
): Promise<ProviderTarget> => {
  const redirectUri = redirectUriOf(ctx.appUrl, id);
  const isChanged = clientSecret !== "" || Object.keys(change).length > 0;
  const ofEnvironment = ctx.environmentProviders.find((provider) => provider.id === id);
  if (ofEnvironment !== undefined) {
    if (isChanged) refuseLocked(ctx, id);
    if (ofEnvironment.kind === "github") throw new AppError("CONFLICT", providerTexts.notOpenId);
    return { ...ofEnvironment, redirectUri };
  }
  const stored = await readSettings(ctx.db, ctx.secrets);
  const former = addedProvider(stored.providers, id);
  if (former === undefined && !isChanged) throw new AppError("NOT_FOUND", providerTexts.unknown);
  const settings = await checkedSettings(ctx, stored, { id, former, change });
  const held = Object.hasOwn(stored.clientSecrets, id) ? stored.clientSecrets[id] : undefined;
  const entered = clientSecret.trim();
  const message = entered === "" ? secretComplaint(held, former?.issuer, settings.issuer) : null;
  if (message !== null) throw validationError([{ path: "clientSecret", message }]);
  return { ...toOidcProvider(id, settings, entered || (held?.value ?? "")), redirectUri };
};
