import type { Page } from "playwright-core";
import { anAccount } from "#ui/testing/answers.ts";
import { failure } from "./answers.ts";
import {
  answers,
  asks,
  fills,
  hangs,
  isBusy,
  isInvalid,
  isRestarting,
  meets,
  open,
  presses,
  pressesExactly,
  refuses,
  restarting,
  type Scene,
  type Step,
  type Steps,
  scenesOn,
  scrollsTo,
  sees,
  types,
} from "./steps.ts";

const accountApi = /\/api\/account(?:$|\/)/;
const googleApi = "**/api/account/connections/google";
const newPassword = { "New Password": "a rather fine long password" };
const twice = { ...newPassword, "Confirm New Password": "a rather fine long password" };
const hourMs = 3_600_000;

const sessions = ["Chrome on macOS", "Firefox on Windows", "A device with a rather long name"].map(
  (device, index) => ({
    id: `session-${index}`,
    isCurrent: index === 0,
    ip: index === 2 ? "2001:db8:85a3:1234:5678:8a2e:370:7334" : `203.0.113.${index + 7}`,
    device,
    createdAt: new Date(Date.now() - (index + 1) * 70 * hourMs).toISOString(),
    lastUsedAt: new Date(Date.now() - index * 50 * hourMs).toISOString(),
  }),
);

/** Has the account be that of somebody who signs in with GitHub, in many places. */
const withGithub = (page: Page, hasPassword: boolean) =>
  page.route(accountApi, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (route.request().method() !== "GET") return route.fallback();
    if (pathname.endsWith("/sessions")) return route.fulfill({ json: { success: true, data: { sessions } } });
    if (pathname !== "/api/account") return route.fallback();
    const user = await page.request.get(new URL("/api/auth/user", page.url()).href);
    const providers = {
      google: { label: "Google", configured: true, linked: false },
      github: { label: "GitHub", configured: true, linked: true },
    };
    const data = anAccount({ user: await user.json(), hasPassword, providers });
    return route.fulfill({ json: { success: true, data } });
  });

const opensWithout: Steps = [(page) => withGithub(page, false), open];
const asksToLink = [(page: Page) => withGithub(page, true), open, pressesExactly("Link Google"), asks];
const asksToDelete = [open, presses("Delete account…"), asks];
const asksToLogout = [open, presses("Logout", "main"), asks];

const stale = ["REAUTHENTICATION_REQUIRED", "Please sign in again first"] as const;
const signInAgain = { data: { wanted: "recent", ways: [] } };
const refusesDeletion: Step = (page) =>
  page.route(accountApi, (route) =>
    route.request().method() === "DELETE" ? failure(403, ...stale, signInAgain)(route) : route.fallback(),
  );
const notCurrent = { errors: [{ path: "password", message: "This is not your current password" }] };
const changed = "Your password was changed, and all other devices were signed out";

/** The account's pages, and what everyone who is signed in sees. */
export const accountScenes: readonly Scene[] = [
  ...scenesOn("user", "/dashboard", {
    "avatar-menu": [open, presses("Account menu"), meets("menu")],
    "logout-dialog": asksToLogout,
    "logout-failed": [
      [isRestarting("**/api/auth/logout"), asksToLogout],
      [presses("Logout", "dialog"), sees(restarting)],
    ],
  }),
  ...scenesOn("admin", "/admin", { "avatar-menu-admin": [open, presses("Account menu"), meets("menu")] }),
  ...scenesOn("user", "/account/security", {
    "account-loading": [hangs(accountApi), open, isBusy, scrollsTo("Password")],
    "account-failed": [isRestarting(accountApi), open, sees(restarting)],
    "account-no-password": [opensWithout, scrollsTo("Password")],
    "account-link": asksToLink,
    "account-link-wrong": [
      asksToLink,
      refuses(googleApi, 422, "VALIDATION_FAILED", "Please check what you entered", notCurrent),
      types("Your Password", "something else"),
      [presses("Continue to Google"), isInvalid],
    ],
    "account-link-stale": [
      [opensWithout, refuses(googleApi, 403, ...stale, signInAgain)],
      [pressesExactly("Link Google"), presses("Continue to Google"), meets("button", "Sign in again")],
    ],
    "account-password-wrong": [
      open,
      fills({ "Current Password": "something else", ...newPassword, "Confirm New Password": "typo" }),
      [presses("Change password"), sees("Passwords do not match"), scrollsTo("Password")],
    ],
    "account-password-changed": [
      [answers("**/api/account/password", { success: true, message: changed }), open],
      fills({ "Current Password": "something else", ...twice }),
      [presses("Change password"), sees(changed), scrollsTo("Password")],
    ],
  }),
  ...scenesOn("user", "/account/security?error=link_failed", {
    "account-link-failed": [open, sees("the provider refused")],
  }),
  ...scenesOn("user", "/account/sessions", {
    "account-sessions": [opensWithout, sees("Firefox on Windows")],
    "account-end-others": [opensWithout, presses("Sign out everywhere else"), asks],
  }),
  ...scenesOn("user", "/account/data", {
    "account-delete": asksToDelete,
    "account-delete-wrong": [asksToDelete, presses("Delete my account"), isInvalid],
    "account-delete-stale": [
      [(page: Page) => withGithub(page, false), open, refusesDeletion, presses("Delete account…")],
      types("Type your email address to confirm", "grace@example.test"),
      [presses("Delete my account"), meets("button", "Sign in again")],
    ],
  }),
];
