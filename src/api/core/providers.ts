import type { ProviderSettings } from "#contract/provider-settings.ts";
import type { ProviderKind, Role } from "#contract/users.ts";

/** Whom a provider signs in, and with which rights. */
export type ProviderRules = {
  /** Whether someone without an account gets one. */
  maySignUp: boolean;
  /** Domains of the email addresses that get one; `null` for all. */
  signUpDomains: readonly string[] | null;
  /** Roles by groups; `null` leaves roles alone. */
  groupRoles: readonly { group: string; role: Role }[] | null;
  /** Whether a second factor that was given there counts here. */
  isFactorTrusted: boolean;
};

/** An OpenID provider with everything needed to use it. */
export type OidcProvider = {
  /** Names it in paths, such as `/api/auth/acme`, and in the database. */
  id: string;
  /** What users call it. */
  label: string;
  /** Address without slash at its end. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: readonly string[];
  /** What the claims of its id tokens are called. */
  claims: Readonly<ProviderSettings["claims"]>;
  /** Domains of which its email addresses count as verified unless it says that they aren't. */
  trustedDomains: readonly string[];
  rules: ProviderRules;
};

/** A provider that the environment names; `subjectIssuer` is whose subjects its users are, which for one that has moved is the former. */
export type EnvironmentProvider = OidcProvider & { kind: ProviderKind; subjectIssuer: string };

/** Whether a provider that an admin added is not used, because the environment names one of its id or issuer. */
export const isOverruled = (
  { id, issuer }: Pick<OidcProvider, "id" | "issuer">,
  environment: readonly EnvironmentProvider[],
): boolean => environment.some((other) => other.id === id || other.issuer === issuer);

/** Where a provider sends browsers back to. */
export const redirectUriOf = (appUrl: string, id: string): string => `${appUrl}/api/auth/${id}/callback`;
