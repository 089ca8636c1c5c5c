import { credentialSettings } from "./credential-settings.ts";
import {
  choice,
  defineSettings,
  duration,
  integer,
  list,
  type PathOf,
  text,
  toggle,
  type ValuesOf,
} from "./define-settings.ts";
import { pageLimits } from "./limits.ts";
import { pageSettingsTexts } from "./settings.ts";
import { siteSettings } from "./site-settings.ts";

/** What admins set of the core itself. */
export const coreSettings = defineSettings(
  "core",
  {
    // The limit on requests to the API, one counter a client.
    rateLimiting: {
      enabled: toggle({
        default: true,
        label: "Enable Rate Limiting",
        hint: "Clients that exceed the limit are refused until the window resets.",
        about: "whether requests to the API are limited",
        description: "Whether requests are limited",
      }),
      windowMs: duration({
        default: 900_000,
        options: [60_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000],
        label: "Window",
        about: "length of the window",
        invalid: "Please choose a window of 1, 5, 10, 15 or 30 minutes, or 1 hour",
        scope: "settings",
      }),
      maxRequests: integer({
        default: 100,
        min: 10,
        max: 10_000,
        label: "Max Requests",
        hint: "For each client within the window, from 10 to 10,000. Users who share an IP address share the limit; once it is used up, they can only read pages.",
        about: "requests that a client may make in a window",
        scope: "settings",
      }),
      skipAdminRoutes: toggle({
        default: true,
        label: "Skip Admin Routes",
        hint: "Signed-in admins are not counted on admin routes.",
        about: "do not count signed-in admins on admin routes",
        description: "Signed-in admins are not counted on admin routes",
        scope: "settings",
      }),
      skipPluginRoutes: toggle({
        default: true,
        label: "Skip Plugin Routes",
        hint: `Requests to plugins are not counted; visitors may make ${pageLimits.pluginCallsByVisitor} a minute.`,
        about: "do not count requests to plugins",
        description: `Requests to plugins are not counted; visitors who are not signed in may make ${pageLimits.pluginCallsByVisitor} a minute`,
        scope: "settings",
      }),
      message: text({
        default: "Too many requests from this IP, please try again later.",
        max: 200,
        isLong: true,
        label: "Message",
        hint: "What clients that exceed the limit see.",
        about: "message for clients that exceed the limit",
        description: "Message for clients that exceed the limit",
        invalid: "Please enter a message of 1 to 200 visible characters",
        scope: "settings",
      }),
    },
    // How requests are understood and answered; the page tells of each what it does at the moment.
    security: {
      trustProxy: toggle({
        default: true,
        label: "Trust Proxy",
        about: "trust the client addresses that trusted proxies report",
        description: "Whether the `X-Forwarded-For` of trusted proxies is used as the client's address",
      }),
      helmetEnabled: toggle({
        default: true,
        label: "Helmet",
        about: "send security headers",
        description:
          "Whether responses carry security headers for browsers; without them `nosniff`, `frame-ancestors`, `frame-src` and the policy of plugins' frames stay",
      }),
      corsEnabled: toggle({
        default: true,
        label: "CORS",
        about: "allow requests with credentials from CORS_ORIGINS",
        description: "Whether the listed origins may send requests with credentials",
      }),
    },
  },
  { isLockedByFirewall: true },
);

export type CoreSettings = ValuesOf<typeof coreSettings>;
export type RateLimitSettings = CoreSettings["rateLimiting"];
export type SecuritySettings = CoreSettings["security"];

/** What admins set about accounts; the firewall never manages it. */
export const accountSettings = defineSettings(
  "accounts",
  {
    registration: choice({
      default: "open",
      options: {
        open: "Anyone",
        domains: "Addresses at the domains below",
        invite: "Invited users only",
        closed: "No one",
      },
      label: "Who may register",
      hint: "Also applies to new accounts through sign-in providers. Administrators can always add and invite users.",
      about: "who may register",
      description:
        "Who may register, also through a provider: everyone (`open`), addresses at `domains`, only invited users (`invite`), or " +
        "no one (`closed`). Administrators can always add and invite users",
      scope: "none",
    }),
    domains: list({
      most: 100,
      pattern: /^\s*(?:\*\.)?[^\s.,;:/@*]+(?:\.[^\s.,;:/@*]+)+\s*$/,
      label: "Domains",
      hint: "Separated by commas. b.example stands for addresses that end in @b.example, *.b.example for all its subdomains.",
      about: "domains whose addresses may register",
      description:
        "Domains whose addresses may register where `registration` is `domains`: `b.example` is exactly what follows the `@`, " +
        "`*.b.example` each subdomain",
      invalid: "Please enter domains such as b.example or *.b.example, at most 100",
      scope: "none",
    }),
    verification: choice({
      default: "same-browser",
      options: {
        "same-browser": "Use the password typed at registration in the same browser",
        "always-choose": "Always ask for name and password",
      },
      label: "Email verification",
      hint: "In the browser that registered, an emailed link creates the account with the password typed there. Choose the second option for shared computers.",
      about: "what a verification link does in the browser that registered",
      description:
        "Whether a verification link immediately creates the account in the browser that registered (`same-browser`), or asks for name and password there too (`always-choose`)",
    }),
    emailChange: choice({
      default: "new",
      options: {
        new: "Confirm with the new address; administrators with both",
        both: "Confirm with both addresses",
      },
      label: "Change of email address",
      hint: "The current address is always told and can stop the change, or undo it for 7 days.",
      about: "which email addresses confirm a change of email address",
      description:
        "Whether a user's change of email address counts once the new one has confirmed it (`new`), or only when the current one has approved " +
        "it too (`both`, which always holds for administrators)",
      scope: "none",
    }),
    breachedPasswords: choice({
      default: "off",
      options: {
        off: "Don't ask",
        online: "Ask Have I Been Pwned",
      },
      label: "Breached passwords",
      hint: "Refuses new passwords that appeared in a data breach. Only the first five characters of the password's SHA-1 hash leave this server. When the service can't be reached, the password is accepted and the activity log says so.",
      about: "whether new passwords are looked up among breached ones",
      description:
        "Whether new passwords are looked up at Have I Been Pwned (`online`), by the first five digits of their SHA-1. A filter that " +
        "`atrium passwords build-filter` made is used in any case",
    }),
    secondFactor: choice({
      default: "optional",
      options: {
        off: "Off",
        optional: "Optional",
        admins: "Required for admins",
        everyone: "Required for everyone",
      },
      label: "Two-factor authentication",
      hint: "Off offers it to no one who hasn't set it up yet. To require it, set it up for your own account first.",
      about: "who must have a second factor",
      description:
        "Who must have a second factor: `admins`, `everyone` or, with `optional`, no one. `off` offers none to users who have none; " +
        "those who have one keep it",
      scope: "none",
    }),
    graceDays: integer({
      default: 7,
      min: 0,
      max: 30,
      label: "Days to set it up",
      hint: "From 0 to 30 days. Users who have not set up required two-factor authentication by then can do nothing else.",
      about: "days that users have to set up a required second factor",
      description: "Days that users have to set up a required second factor",
      scope: "none",
    }),
    adminIdleMinutes: integer({
      default: 30,
      min: 5,
      max: 1_440,
      label: "Sign admins out after (minutes)",
      hint: "How long an admin's session lasts while no one uses it, from 5 to 1,440 minutes. Applies immediately, to open sessions too.",
      about: "minutes without use after which an admin is signed out",
      description: "Minutes without use after which an administrator's session ends",
      scope: "none",
    }),
    adminSessionHours: integer({
      default: 12,
      min: 1,
      max: 168,
      label: "Admins sign in again after (hours)",
      hint: "How long an admin stays signed in at most, from 1 to 168 hours. Applies immediately, to open sessions too.",
      about: "hours after which an admin has to sign in again",
      description: "Hours after its sign-in when an administrator's session ends, however much it is used",
      scope: "none",
    }),
  },
  {
    conflicts: ({ registration, domains }) =>
      registration === "domains" && domains.length === 0
        ? [{ path: "domains", message: pageSettingsTexts.domainsWanted }]
        : [],
  },
);

export type AccountSettings = ValuesOf<typeof accountSettings>;

/** The values of the setting that says who may register. */
export const registrationPolicies = [
  "open",
  "domains",
  "invite",
  "closed",
] as const satisfies AccountSettings["registration"][];

/** All settings that admins make, by section. */
export const declaredSettings = {
  core: coreSettings,
  accounts: accountSettings,
  site: siteSettings,
  credentials: credentialSettings,
} as const;

export type DeclaredName = keyof typeof declaredSettings;

/** The path of a setting from its section's name on, as the command line has it. */
export type DeclaredPath = {
  [Name in DeclaredName]: `${Name}.${PathOf<ValuesOf<(typeof declaredSettings)[Name]>>}`;
}[DeclaredName];
