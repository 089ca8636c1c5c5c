import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { type EnvironmentProvider, isOverruled, redirectUriOf } from "#api/core/providers.ts";
import { readSettings, type StoredSettings } from "#api/modules/settings/index.ts";
import type { SignInOffer } from "#api/modules/users/index.ts";
import { type ProviderSettings, type ProviderState, providerTexts } from "#contract/provider-settings.ts";
import type { SignInProvider } from "./contract.ts";
import { countAdminsByGroup, countLinked } from "./store.ts";

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
export const offerWith = (ctx: Context, stored: StoredSettings): SignInOffer => ({
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
export const variablesOf = ({ id, kind }: Pick<EnvironmentProvider, "id" | "kind">): string =>
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
