import type { Page } from "playwright-core";
import { type Act, manyUsers } from "./acts.ts";
import { json } from "./answers.ts";
import { manyListedUsers } from "./many-users.ts";

const day = (number: number): string => new Date(Date.UTC(2026, 10, number, 9, 30)).toISOString();

const devices = ["Firefox on Linux", "Safari on iOS", "Chrome on Windows"];
const sessions = devices.map((device, at) => ({
  id: `session-${at}`,
  ip: at === 1 ? "2001:db8:85a3:8d3:1319:8a2e:370:7348" : `192.0.2.${at + 1}`,
  userAgent: null,
  device,
  createdAt: day(1),
  lastUsedAt: day(19 - at),
  expiresAt: day(30),
}));

const pending = ["Mira Okafor", "Maximiliana-Wilhelmine von der Schulenburg-Wolfsburg", "李 Ng"].map(
  (name, at) => {
    const email = `waiting${at}@northwind.example`;
    const mailedAt = at === 1 ? null : day(19);
    const newest = { id: `pending-${at}`, name, createdAt: day(19), mailedAt, expiresAt: day(20) };
    const waiting = at === 2 ? [newest, { ...newest, id: "pending-older", name: "Somebody Else" }] : [newest];
    return { ...newest, email, registrations: waiting.length, waiting };
  },
);

const openFirst = async (page: Page, go: () => Promise<void>, isLastAdmin: boolean) => {
  const [first] = manyListedUsers({ limit: 1, offset: 0 }).users;
  const user = { ...first, hasPassword: true, secondFactor: null, isLastAdmin, sessionCount: 103, sessions };
  await page.route("**/api/admin/users/*", json(200, { success: true, data: user }));
  await manyUsers(page, go);
  await page.getByRole("row").nth(1).getByRole("button").click();
  await page.getByText("Safari on iOS").waitFor();
};

export const openUser: Act = (page, go) => openFirst(page, go, false);

export const openLastAdmin: Act = (page, go) => openFirst(page, go, true);

export const openNobody: Act = async (page, go) => {
  await go();
  await page.getByRole("dialog").getByRole("alert").waitFor();
};

export const askToDisable: Act = async (page, go) => {
  await openUser(page, go);
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Disable this account?").waitFor();
};

export const deleteWrongly: Act = async (page, go) => {
  await openUser(page, go);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByText("This is not the account's email address").waitFor();
};

export const addWrongly: Act = async (page, go) => {
  await go();
  await page.getByRole("button", { name: "Add user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add user" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
};

export const showPending: Act = async (page, go) => {
  const data = { users: pending, pagination: { total: pending.length, limit: 25, offset: 0 } };
  await page.route("**/api/admin/pending-users?**", json(200, { success: true, data }));
  await go();
  await page.getByRole("row").nth(3).waitFor();
};

export const askToVerify: Act = async (page, go) => {
  await showPending(page, go);
  await page.getByRole("button", { name: "Verify waiting1@northwind.example" }).click();
  await page.getByText("Verify this email address?").waitFor();
};
