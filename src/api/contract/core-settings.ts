import { credentialSettings } from "./credential-settings.ts";
import {
  choice,
  defineSettings,
  duration,
  integer,
  type PathOf,
  text,
  toggle,
  type ValuesOf,
} from "./define-settings.ts";
import { pageLimits } from "./limits.ts";

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
export const accountSettings = defineSettings("accounts", {
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
});

export type AccountSettings = ValuesOf<typeof accountSettings>;

/** All settings that admins make, by section. */
export const declaredSettings = {
  core: coreSettings,
  accounts: accountSettings,
  credentials: credentialSettings,
} as const;

export type DeclaredName = keyof typeof declaredSettings;

/** The path of a setting from its section's name on, as the command line has it. */
export type DeclaredPath = {
  [Name in DeclaredName]: `${Name}.${PathOf<ValuesOf<(typeof declaredSettings)[Name]>>}`;
}[DeclaredName];
