import type { Complaint } from "./account-rules.ts";
import {
  defineSettings,
  endpoint,
  identifier,
  list,
  text,
  toggle,
  type ValuesOf,
} from "./define-settings.ts";
import { plainServiceUrl } from "./endpoints.ts";
import type { OperationOption } from "./operation.ts";
import { type Role, roles } from "./users.ts";

/** How many providers admins can add. */
export const mostProviders = 20;

const lengths = { issuer: 500, clientId: 300, claim: 200 } as const;

/** How long a provider's title may be, in characters. */
export const titleLength = 40;

// Names of routes below `/api/auth`, and of sign-in methods that are no providers.
const reservedIds = [
  ...["google", "github", "password", "passkey", "passkeys", "code", "recovery", "token", "oidc"],
  ...["user", "register", "login", "logout", "setup", "providers", "settings", "factor", "invitations"],
];

/** Complaint about the id of a provider: two to 32 small letters and digits, and no word that is taken. */
export const providerIdComplaint = (id: string): Complaint => {
  if (!/^[a-z][a-z0-9]{1,31}$/.test(id)) return pageProviderTexts.nameInvalid;
  return reservedIds.includes(id) ? pageProviderTexts.nameReserved : null;
};

/** What a provider is called unless it has a title. */
export const titleFromId = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);

// Source: RFC 6749, appendix A.4.
const scopePattern = /^\s*[\x21\x23-\x5b\x5d-\x7e]{1,200}\s*$/;

/** The scopes that are asked for, `openid` first; `null` where one can't be sent. */
export const scopesIn = (scopes: readonly string[]): string[] | null =>
  scopes.every((scope) => scopePattern.test(scope)) ? [...new Set(["openid", ...scopes])] : null;

/** A group with the role of its members, as in `atrium-admins:admin`; `null` for any other text. A group may have a colon in its name. */
export const groupRoleIn = (written: string): { group: string; role: Role } | null => {
  const at = written.lastIndexOf(":");
  const group = written.slice(0, at).trim();
  const role = roles.find((known) => known === written.slice(at + 1).trim());
  return at > 0 && group !== "" && role !== undefined ? { group, role } : null;
};

const issuerComplaint = (written: string): Complaint =>
  written.length <= lengths.issuer && plainServiceUrl(written.trim()) !== null
    ? null
    : pageProviderTexts.issuerInvalid;

// Text without white space, as it goes into headers and forms.
const isWord = (written: string, most: number): boolean =>
  written.length <= most && /^[\x21-\x7e]+$/.test(written);

const domains = {
  most: 100,
  pattern: /^\s*[^\s.,;:/@*]+(?:\.[^\s.,;:/@*]+)+\s*$/,
  invalid: "Please enter domains such as acme.example, at most 100",
} as const;

const counted = (users: number): string => `${users} ${users === 1 ? "user has" : "users have"}`;

/** Sentences about sign-in providers that pages say as well as the server. */
const pageProviderTexts = {
  nameInvalid: "Please enter 2 to 32 lowercase letters and digits, beginning with a letter",
  nameReserved: "This name is reserved; please choose another one",
  issuerInvalid: "Please enter an https URL without query, such as https://id.acme.example",
  clientIdInvalid: "Please enter the client ID without spaces, at most 300 characters",
  secretInvalid: "Please enter the client secret without spaces, at most 1,000 characters",
  /** Whom a change leaves without a way to sign in; empty where that is no one. */
  leftOut: (users: number) =>
    users === 0 ? "" : `${counted(users)} no other way to sign in and will need a password reset`,
  /** The administrators whom its groups made, if no one can sign in with it anymore; empty where that is no one. */
  adminsStay: (admins: number) =>
    admins === 0
      ? ""
      : `${admins} ${admins === 1 ? "administrator has" : "administrators have"} the role from its groups until it is changed here; sessions through it end, API tokens keep working`,
} as const;

/** The sentences that are not empty, in a row, without a period at the end. */
export const sentences = (...all: string[]): string => all.filter((text) => text !== "").join(". ");

/** Whom it concerns that no one can sign in with a provider anymore; empty where that is no one. */
export const onceGone = (counts: { usersWithoutOther: number; adminsByGroup: number }): string =>
  sentences(
    pageProviderTexts.leftOut(counts.usersWithoutOther),
    pageProviderTexts.adminsStay(counts.adminsByGroup),
  );

/** Sentences about sign-in providers. */
export const providerTexts = {
  ...pageProviderTexts,
  lockedByEnvironment: (label: string, variables: string) =>
    `${label} is configured by the environment (${variables}) and can only be changed there`,
  testWorks: "Sign-in Provider Test Successful",
  notOpenId: "GitHub can't be tested here: it doesn't speak OpenID Connect. Sign in with it instead",
  unknown: "This sign-in provider doesn't exist",
  issuerTaken: (label: string) => `${label} has this issuer already`,
  tooMany: (most: number) => `There can be at most ${most} sign-in providers; please remove one first`,
  saved: (label: string) => `${label} was saved`,
  removed: (label: string) => `${label} was removed`,
  noAdminLeft:
    "No administrator could sign in afterwards; give one a password or another way to sign in first",
  /** Who is linked to a former issuer or under a former name; empty where that is no one. */
  leftBehind: (users: number) =>
    users === 0
      ? ""
      : `${counted(users)} linked it at another issuer or under another name and can't sign in with it`,
} as const;

/** What admins set of an OpenID provider, besides its client secret. */
export const providerSettings = defineSettings("providers", {
  isEnabled: toggle({
    default: true,
    label: "Users can sign in",
    hint: "While this is off, no one can sign in with it. Linked accounts stay linked.",
    about: "whether users can sign in with it",
  }),
  label: text({
    default: "",
    max: titleLength,
    label: "Title",
    hint: "What users see on the button and in emails.",
    about: "its name as users know it",
    description: "Its name on buttons and in emails; by default its id with a capital letter",
  }),
  issuer: endpoint({
    label: "Issuer",
    hint: "Its configuration is read from /.well-known/openid-configuration below this URL.",
    about: "https URL of the issuer",
    description: "Its configuration is read from `/.well-known/openid-configuration` below this URL",
    placeholder: "https://id.acme.example",
    documented: { pattern: "^\\s*https?://[^\\s?#{}]{1,490}\\s*$" },
    complaint: issuerComplaint,
    split: (written) => ({ endpoint: plainServiceUrl(written) ?? written, password: null }),
    isStorable: (written) => plainServiceUrl(written) === written,
  }),
  clientId: identifier({
    label: "Client ID",
    about: "client ID from the provider",
    documented: { pattern: "^\\s*[!-~]{1,300}\\s*$" },
    complaint: (written) =>
      isWord(written.trim(), lengths.clientId) ? null : pageProviderTexts.clientIdInvalid,
  }),
  scopes: list({
    default: ["openid", "email", "profile"],
    most: 20,
    pattern: scopePattern,
    label: "Scopes",
    hint: "Separated by commas or spaces. openid is always asked for.",
    about: "scopes to ask for",
    description: "Scopes to ask for; `openid` always is",
    invalid: "Please enter scopes such as email or groups, at most 20",
  }),
  // The names of claims in the provider's id tokens.
  claims: {
    email: text({
      default: "email",
      max: lengths.claim,
      label: "Email claim",
      about: "claim with the email address",
      description: "Claim with the email address",
    }),
    emailVerified: text({
      default: "",
      max: lengths.claim,
      mayBeEmpty: true,
      label: "Verified claim",
      hint: "The claim that is true for verified addresses. Empty: email_verified, which only counts for the claim email.",
      about: "claim that is true for a verified address",
      description:
        "Claim that is true for a verified address. Empty: `email_verified`, and only if the address is in the claim `email`, which is what that is about",
    }),
    name: text({
      default: "name",
      max: lengths.claim,
      label: "Name claim",
      about: "claim with the person's name",
      description: "Claim with the person's name",
    }),
    groups: text({
      default: "groups",
      max: lengths.claim,
      label: "Groups claim",
      hint: "Dots lead into objects, as in realm_access.roles.",
      about: "claim with the person's groups",
      description: "Claim with the person's groups; dots lead into objects, as in `realm_access.roles`",
    }),
  },
  trustedDomains: list({
    ...domains,
    label: "Trusted email domains",
    hint: "Separated by commas. Their addresses count as verified even if the provider doesn't say so. List only domains whose addresses the provider's owner assigns: anyone who can choose an address there can take over its account here.",
    about: "domains whose addresses count as verified",
    description:
      "Domains of which its email addresses count as verified unless it says that they aren't. Name only those whose addresses its owner assigns",
  }),
  maySignUp: toggle({
    default: true,
    label: "Create accounts",
    hint: "While this is off, only users who have an account can sign in. Who may register is decided under Accounts.",
    about: "whether new users get an account",
    description: "Whether new users get an account, as far as `accounts.registration` lets them",
  }),
  signUpDomains: list({
    ...domains,
    label: "Domains of new accounts",
    hint: "Separated by commas. Only addresses at these domains get a new account. Empty: all.",
    about: "domains whose addresses get an account",
    description: "Only addresses of these domains get a new account; empty: all",
  }),
  groupRoles: list({
    most: 100,
    pattern: /^\s*\S.{0,300}:(?:user|admin)\s*$/,
    // A group may have a space or a comma in its name.
    hasLines: true,
    label: "Roles by group",
    hint: "One per line, such as atrium-admins:admin. Administrators by a group lose the role once they are in none. Empty: roles are given here.",
    about: "groups with the role of their members",
    description:
      "Groups with the role of their members, such as `atrium-admins:admin`; empty: roles are given here",
    invalid: "Please enter groups with their role, such as atrium-admins:admin, at most 100",
  }),
  isFactorTrusted: toggle({
    default: false,
    label: "Its second factor counts",
    hint: "Users who gave a second factor at the provider aren't asked for another one.",
    about: "whether a second factor that was given there counts",
    description: "Whether a second factor that a user gave at the provider counts here",
  }),
});

/** What admins set of one provider. */
export type ProviderSettings = ValuesOf<typeof providerSettings>;

/** Whether users can sign in with a provider: `overruled` by the environment, or its client secret is `unreadable`. */
export const providerStates = ["on", "off", "overruled", "unreadable"] as const;
export type ProviderState = (typeof providerStates)[number];

/** How long a client secret may be. */
export const clientSecretLength = 1_000;

/** Complaint about a client secret. Empty is fine: the stored one stays. */
export const clientSecretComplaint = (written: string): Complaint =>
  written.trim() === "" || isWord(written.trim(), clientSecretLength)
    ? null
    : pageProviderTexts.secretInvalid;

/** The option of a setting by its path: `--client-id` for `clientId`, `--email-claim` for `claims.email`. */
export const providerOptionName = (path: string): string => {
  const [own = "", inner] = path.split(".");
  return (inner === undefined ? own.replace(/^(?:is|may)(?=[A-Z])/, "") : `${inner}Claim`)
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, "");
};

// A group may have a comma in its name.
const listed = (path: string): Partial<OperationOption> =>
  path === "groupRoles" ? { repeats: true, value: "group:role" } : { type: "list" };

/** An option for each setting of a provider. */
export const providerSettingOptions: readonly OperationOption[] = providerSettings.settings.map(
  ([path, { kind, label, about = label }]) => ({
    name: providerOptionName(path),
    ...(kind === "switch" ? { value: "on|off", values: ["on", "off"] } : {}),
    ...(kind === "list" ? { value: "words", ...listed(path) } : {}),
    summary: kind === "list" ? `${about}; may be repeated` : about,
  }),
);
