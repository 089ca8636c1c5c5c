import type { Page } from "playwright-core";
import { activityTexts } from "#contract/activity.ts";
import { json } from "./answers.ts";
import { activity, activityDays, activityStats, manyActivities } from "./many-activities.ts";
import { message, manyMessages as messagesPage } from "./many-messages.ts";
import { manyListedUsers } from "./many-users.ts";
import {
  hangs,
  isBusy,
  isInvalid,
  isRestarting,
  meets,
  open,
  presses,
  restarting,
  type Scene,
  type Step,
  type Steps,
  scenesOn,
  scrollsToTable,
  sees,
  tells,
  types,
} from "./steps.ts";

const adminApi = /\/api\/(admin|system)/;

/** Those of an admin page that waits for its calls, and of one whose calls are refused. */
export const waitsAndFails = (name: string): Record<string, Steps> => ({
  [`${name}-loading`]: [hangs(adminApi), open, isBusy],
  [`${name}-failed`]: [isRestarting(adminApi), open, sees("Access Error")],
});

type Paging = { limit: number; offset: number };

/** Answers calls for a list, from any of its rows on. */
const pages =
  (url: string, dataOf: (paging: Paging) => unknown): Step =>
  (page) =>
    page.route(url, (route) => {
      const { searchParams } = new URL(route.request().url());
      const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
      return json(200, { success: true, data: dataOf({ limit, offset }) })(route);
    });

const row = (at: number) => (page: Page) => page.getByRole("row").nth(at);
const seesRow =
  (at: number): Step =>
  (page) =>
    row(at)(page).waitFor();
const pressesInRow =
  (at: number): Step =>
  (page) =>
    row(at)(page).getByRole("button").click();

const day = (number: number): string => new Date(Date.UTC(2026, 10, number, 9, 30)).toISOString();
const userSessions = ["Firefox on Linux", "Safari on iOS", "Chrome on Windows"].map((device, at) => ({
  id: `session-${at}`,
  ip: at === 1 ? "2001:db8:85a3:8d3:1319:8a2e:370:7348" : `192.0.2.${at + 1}`,
  userAgent: null,
  device,
  createdAt: day(1),
  lastUsedAt: day(19 - at),
  expiresAt: day(30),
}));
const pendingUsers = ["Mira Okafor", "Maximiliana-Wilhelmine von der Schulenburg-Wolfsburg", "李 Ng"].map(
  (name, at) => {
    const email = `waiting${at}@northwind.example`;
    const mailedAt = at === 1 ? null : day(19);
    const newest = { id: `pending-${at}`, name, createdAt: day(19), mailedAt, expiresAt: day(20) };
    const waiting = at === 2 ? [newest, { ...newest, id: "pending-older", name: "Somebody Else" }] : [newest];
    return { ...newest, email, registrations: waiting.length, waiting };
  },
);

const manyUsers = [pages("**/api/admin/users?**", manyListedUsers), open, seesRow(5)];
const opensUser = (isLastAdmin: boolean): Steps => {
  const [first] = manyListedUsers({ limit: 1, offset: 0 }).users;
  const more = { hasPassword: true, secondFactor: null, isLastAdmin, sessionCount: 103 };
  return [
    tells("**/api/admin/users/*", { ...first, ...more, sessions: userSessions }),
    [manyUsers, pressesInRow(1), sees("Safari on iOS")],
  ];
};
const pagination = { total: pendingUsers.length, limit: 25, offset: 0 };
const showsPending = [
  tells("**/api/admin/pending-users?**", { users: pendingUsers, pagination }),
  [open, seesRow(3)],
];

const users = [
  ...scenesOn("admin", "/admin/users?search=nobody+at+all", { "users-none": [open] }),
  ...scenesOn("admin", "/admin/users", {
    ...waitsAndFails("users"),
    "user-detail": opensUser(false),
    "user-last-admin": opensUser(true),
    "user-disable": [opensUser(false), presses("Disable"), sees("Disable this account?")],
    "user-delete-wrong": [
      [opensUser(false), presses("Delete"), presses("Delete account")],
      sees("This is not the account's email address"),
    ],
    "user-add-errors": [open, presses("Add user"), presses("Add user", "dialog"), isInvalid],
  }),
  ...scenesOn("admin", "/admin/users?page=3", { "users-many": manyUsers }),
  ...scenesOn("admin", "/admin/users?user=none", {
    "user-detail-failed": [open, meets("alert", undefined, "dialog")],
  }),
  ...scenesOn("admin", "/admin/users?tab=pending", {
    "users-pending": showsPending,
    "user-verify": [
      [showsPending, presses("Verify waiting1@northwind.example")],
      sees("Verify this email address?"),
    ],
  }),
];

const messagesTold: Steps = [
  pages("**/api/admin/contact?**", messagesPage),
  (page) =>
    page.route("**/api/admin/contact/*", (route) =>
      json(200, { success: true, data: message(Number(route.request().url().slice(-12))) })(route),
    ),
];
const opensMessage = [messagesTold, open, pressesInRow(1), sees("203.0.113.7")];

const messages = [
  ...scenesOn("admin", "/admin/messages?page=2", { "messages-many": [messagesTold, open, seesRow(5)] }),
  ...scenesOn("admin", "/admin/messages?search=nothing", {
    "messages-none": [open, sees("No messages found")],
  }),
  ...scenesOn("admin", "/admin/messages", {
    ...waitsAndFails("messages"),
    "message-detail": opensMessage,
    "message-delete": [opensMessage, presses("Delete"), sees("Delete this message?")],
  }),
];

const activityApi = /\/api\/admin\/activity(?:\?|\/|$)/;
const activityOf = (part: string | undefined, params: URLSearchParams) => {
  if (part === undefined)
    return manyActivities({ limit: Number(params.get("limit")), offset: Number(params.get("offset")) });
  if (part === "stats") return activityStats;
  if (part === "days") return activityDays(Number(params.get("days")));
  if (part === "retention") return { days: null };
  return activity(Number(part));
};
const tellsActivity: Step = (page) =>
  page.route(activityApi, (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    return json(200, { success: true, data: activityOf(pathname.split("/")[4], searchParams) })(route);
  });
const activities = (page: Page) => page.getByRole("table", { name: "Activities", exact: true });
const manyRows: Steps = [[tellsActivity, open], (page) => activities(page).getByRole("row").nth(5).waitFor()];
// On a phone they are folded.
const unfoldsFilters: Step = async (page) => {
  const show = page.getByRole("button", { name: "Show", exact: true });
  if (await show.isVisible()) await show.click();
  await page.getByRole("heading", { name: "Filters" }).evaluate((element) => element.scrollIntoView());
};
const scrollsToText =
  (words: string): Step =>
  (page) =>
    page.getByText(words).scrollIntoViewIfNeeded();
const cleansUp: Steps = [
  [manyRows, presses("Clean up"), sees("will be deleted")],
  (page) => page.getByLabel("Keep activities").waitFor(),
];

const activityLog = [
  ...scenesOn("admin", "/admin/activity?status=failure", {
    "activity-many": manyRows,
    "activity-filters": [manyRows, unfoldsFilters],
  }),
  // The table, where the window does not reach down to it.
  ...scenesOn("admin", "/admin/activity?page=2", {
    "activity-rows": [manyRows, scrollsToTable("Activities")],
  }),
  ...scenesOn("admin", "/admin/activity?search=nothing", {
    "activity-none": [open, scrollsToText(activityTexts.none)],
  }),
  ...scenesOn("admin", "/admin/activity", {
    "activity-loading": [hangs(adminApi), open, isBusy],
    "activity-failed": [isRestarting(activityApi), open, scrollsToText(restarting)],
    "activity-detail": [
      manyRows,
      (page) => activities(page).getByRole("row").nth(3).getByRole("button").click(),
      (page) => page.getByRole("dialog").getByText("trustProxy").waitFor(),
    ],
    "activity-export": [manyRows, (page) => page.getByLabel("Formats to export").click()],
    "activity-clean-up": cleansUp,
    "activity-clean-up-wrong": [
      [cleansUp, types("Older than", "0"), presses("Clean up", "dialog")],
      isInvalid,
    ],
  }),
];

/** Overview, users, messages and the activity log. */
export const adminScenes: readonly Scene[] = [
  ...scenesOn("admin", "/admin", waitsAndFails("admin")),
  ...users,
  ...messages,
  ...activityLog,
];
