import type { Page } from "playwright-core";
import type { Act } from "./acts.ts";
import { failure, fill, json } from "./answers.ts";

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
const tokens = "**/api/admin/tokens";

const tell = (page: Page, post?: Parameters<Page["route"]>[1]) =>
  page.route(tokens, (route, request) =>
    request.method() === "POST" && post !== undefined
      ? post(route, request)
      : json(200, { success: true, data: { tokens: list } })(route),
  );

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const sheet = (page: Page) => page.getByRole("dialog");

export const many: Act = async (page, go) => {
  await tell(page);
  await go();
  await page.getByRole("table", { name: "API tokens" }).waitFor();
};

const openForm: (post?: Parameters<Page["route"]>[1]) => Act = (post) => async (page, go) => {
  await tell(page, post);
  await go();
  await press(page, "Create token");
  await sheet(page).getByLabel("Name", { exact: true }).waitFor();
};

export const create: Act = async (page, go) => {
  await openForm()(page, go);
  await fill(page, { Name: "ci" });
  await page.getByLabel("Plugins", { exact: true }).selectOption("Read and write");
  await page.getByLabel("Expires", { exact: true }).selectOption("On a specific date");
};

export const createAll: Act = async (page, go) => {
  await openForm()(page, go);
  await page.getByLabel("Everything an administrator can do").check();
  await page.getByLabel("Expires", { exact: true }).selectOption("Never");
};

export const createWrongly: Act = async (page, go) => {
  await openForm()(page, go);
  await page.getByLabel("Expires", { exact: true }).selectOption("On a specific date");
  await sheet(page).getByRole("button", { name: "Create token" }).click();
  await page.locator("[aria-invalid=true]").first().waitFor();
};

const send = async (page: Page) => {
  await fill(page, { Name: "ci" });
  await page.getByLabel("Plugins", { exact: true }).selectOption("Read");
  await sheet(page).getByRole("button", { name: "Create token" }).click();
};

export const askForPassword: Act = async (page, go) => {
  const data = { wanted: "recent", ways: ["password"] };
  const words = "Please enter your password to confirm";
  const refusal = failure(403, "REAUTHENTICATION_REQUIRED", words, { data });
  await openForm(refusal)(page, go);
  await send(page);
  await page.getByRole("dialog", { name: "Confirm it's you" }).waitFor();
};

export const made: Act = async (page, go) => {
  await openForm(json(201, { success: true, message: "made", data: { ...ci, token: secret } }))(page, go);
  await send(page);
  await page.getByText(secret).waitFor();
};

export const leave: Act = async (page, go) => {
  await made(page, go);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Leave without the token?" }).waitFor();
};

export const details: Act = async (page, go) => {
  await many(page, go);
  await press(page, "ci");
  await sheet(page).waitFor();
};

export const askToRevoke: Act = async (page, go) => {
  await details(page, go);
  await press(page, "Revoke");
  await page.getByRole("dialog", { name: "Revoke ci?" }).waitFor();
};

export const dead: Act = async (page, go) => {
  await many(page, go);
  await press(page, "old pipeline");
  await sheet(page).waitFor();
};
