import type { Page, Route } from "playwright-core";
import { waitsAndFails } from "./admin-scenes.ts";
import { failure, json } from "./answers.ts";
import {
  fills,
  isInvalid,
  meets,
  open,
  presses,
  pressesExactly,
  type Scene,
  type Step,
  type Steps,
  scenesOn,
  sees,
  selects,
} from "./steps.ts";

const token = (at: number, more: object) => ({
  id: `019a9f00-0000-7000-8000-00000000000${at}`,
  name: "ci",
  hint: "x8DM",
  scopes: ["plugins:write"],
  state: "live",
  owner: {
    id: "019a9f00-0000-7000-8000-0000000000aa",
    name: "Ada Lovelace",
    email: "ada@example.test",
    isActive: true,
  },
  allowedNetworks: [],
  callsPerMinute: null,
  createdAt: "2026-11-01T09:00:00.000Z",
  expiresAt: "2027-01-30T09:00:00.000Z",
  lastUsedAt: "2026-11-20T18:40:00.000Z",
  lastUsedIp: "203.0.113.7",
  revokedAt: null,
  ...more,
});

const ci = token(1, { allowedNetworks: ["203.0.113.0/24", "2001:db8::/32"], callsPerMinute: 120 });
const list = [
  ci,
  token(2, {
    name: "Nightly report of the security team",
    hint: "7zhI",
    scopes: ["activity:read", "users:read"],
  }),
  token(3, {
    name: "backup",
    hint: "oHVR",
    scopes: ["*"],
    owner: null,
    expiresAt: null,
    lastUsedAt: null,
    lastUsedIp: null,
  }),
  token(4, {
    name: "assistant",
    hint: "q0Pa",
    scopes: ["plugins:read", "settings:read", "activity:read", "users:read"],
    owner: { ...ci.owner, name: "Grace Hopper", isActive: false },
  }),
  token(5, { name: "trial", hint: "4kLm", state: "expired", expiresAt: "2026-11-10T09:00:00.000Z" }),
  token(6, { name: "old pipeline", hint: "Zz19", state: "revoked", revokedAt: "2026-11-12T09:00:00.000Z" }),
];

const secret = "atr_xp1uV5mQd0T8hR3kYwZsB7nC2eLfJ6gA9iOoPtKv1x8DMq0a";
/** Has the list answered, and a new token with `made`. */
const told =
  (made?: (route: Route) => Promise<void>): Step =>
  (page) =>
    page.route("**/api/admin/tokens", (route) =>
      route.request().method() === "POST" && made !== undefined
        ? made(route)
        : json(200, { success: true, data: { tokens: list } })(route),
    );

const many = [told(), open, meets("table", "API tokens")];
const openForm = (made?: (route: Route) => Promise<void>): Steps => [
  [told(made), open, pressesExactly("Create token")],
  (page) => page.getByRole("dialog").getByLabel("Name", { exact: true }).waitFor(),
];
const sends = [fills({ Name: "ci" }), selects("Plugins", "Read"), presses("Create token", "dialog")];
const expires = (option: string) => selects("Expires", option);
const confirms = failure(403, "REAUTHENTICATION_REQUIRED", "Please enter your password to confirm", {
  data: { wanted: "recent", ways: ["password"] },
});
const answersSecret = json(201, { success: true, message: "made", data: { ...ci, token: secret } });
const made = [openForm(answersSecret), sends, sees(secret)];
const details = [many, pressesExactly("ci"), meets("dialog")];

/** The page of API tokens. */
export const tokenScenes: readonly Scene[] = scenesOn("admin", "/admin/tokens", {
  ...waitsAndFails("tokens"),
  "tokens-many": many,
  "tokens-create": [
    [openForm(), fills({ Name: "ci" }), selects("Plugins", "Read and write")],
    expires("On a specific date"),
  ],
  "tokens-create-all": [
    openForm(),
    (page: Page) => page.getByLabel("Everything an administrator can do").check(),
    expires("Never"),
  ],
  "tokens-create-errors": [
    [openForm(), expires("On a specific date"), presses("Create token", "dialog")],
    isInvalid,
  ],
  "tokens-password": [openForm(confirms), sends, meets("dialog", "Confirm it's you")],
  "tokens-made": made,
  "tokens-leave": [
    made,
    (page: Page) => page.keyboard.press("Escape"),
    meets("dialog", "Leave without the token?"),
  ],
  "tokens-details": details,
  "tokens-revoke": [details, pressesExactly("Revoke"), meets("dialog", "Revoke ci?")],
  "tokens-dead": [many, pressesExactly("old pipeline"), meets("dialog")],
});
