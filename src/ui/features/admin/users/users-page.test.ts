import { describe, expect, test } from "bun:test";
import type { ListedUser } from "#api/modules/users/contract.ts";
import { grace, pageOf } from "#ui/testing/answers.ts";
import { heldAnswer, noAnswer, type OpenPage, openPages, refusal } from "#ui/testing/pages.ts";
import type { Answers, Call } from "#ui/testing/scripted-api.ts";
import { listTexts } from "../texts.ts";
import { usersTexts } from "./texts.ts";

const open = openPages();

const list = "GET /api/admin/users";

/** A page of a list of 300, as the server cuts it. */
const oneOf300 = ({ query }: Call) => {
  const params = new URLSearchParams(query);
  const [limit, offset] = [Number(params.get("limit")), Number(params.get("offset"))];
  const amount = Math.max(0, Math.min(limit, 300 - offset));
  const users = Array.from({ length: amount }, (_, at): ListedUser => {
    const number = offset + at + 1;
    return { ...grace, id: `u${number}`, name: `Member ${number}.`, email: `m${number}@example.test` };
  });
  return { data: { users, pagination: { total: 300, limit, offset } } };
};

const openUsers = (query = "", answers: Answers = { [list]: oneOf300 }) =>
  open(`/admin/users${query}`, { as: "admin", answers });
const asked = (page: OpenPage) => page.calls(list).map(({ query }) => query);
const isDisabled = (page: OpenPage, name: string) =>
  page.getByRole("button", { name }).getAttribute("aria-disabled") === "true";

describe("the list of users", () => {
  test("shows 25 of 300 at a time, and the page is in the URL", async () => {
    const page = await openUsers();
    await page.shows("1–25 of 300");
    expect(page.getAllByRole("row")).toHaveLength(26);
    await page.press("Next");
    await page.shows("26–50 of 300");
    await page.isAt("/admin/users?page=2");
    await page.press("Previous");
    await page.shows("1–25 of 300");
    await page.isAt("/admin/users");
    expect(asked(page)).toEqual(["limit=25&offset=0", "limit=25&offset=25", "limit=25&offset=0"]);
  });

  test("a search begins at the first page, waits for no Enter and is no step of its own for Back", async () => {
    const page = await openUsers("?page=3");
    await page.shows("51–75 of 300");
    const before = history.length;
    await page.fill("Search", "  grace & co  ");
    await page.isAt("/admin/users?search=grace+%26+co");
    await page.shows("1–25 of 300");
    expect(asked(page).at(-1)).toBe("limit=25&offset=0&search=grace+%26+co");
    expect(history.length).toBe(before);
  });

  test("filters by role and status, each beginning at the first page", async () => {
    const page = await openUsers("?page=2");
    await page.shows("26–50 of 300");
    await page.choose("Role", "Admin");
    await page.isAt("/admin/users?role=admin");
    await page.choose("Status", "Disabled");
    await page.isAt("/admin/users?role=admin&status=disabled");
    await page.until(() => expect(asked(page).at(-1)).toBe("limit=25&offset=0&role=admin&status=disabled"));
    page.answer({ [list]: pageOf([]) });
    await page.choose("Role", usersTexts.anyRole);
    await page.shows(usersTexts.noMatchFilters);
    page.answer({ [list]: oneOf300 });
    await page.press(usersTexts.showAll);
    await page.isAt("/admin/users");
    await page.shows("1–25 of 300");
  });

  test("the last page keeps the focus on Next, which leads nowhere", async () => {
    const page = await openUsers("?page=11");
    await page.shows("251–275 of 300");
    await page.press("Next");
    await page.shows("276–300 of 300");
    await page.focusIsAt(page.getByRole("button", { name: "Next" }));
    expect(isDisabled(page, "Next")).toBe(true);
    await page.keys("{Enter}");
    await page.isAt("/admin/users?page=12");
    expect(asked(page)).toHaveLength(2);
  });

  for (const number of ["0", "-1", "1.5", "two", "99999999999999999999"]) {
    test(`page=${number} counts as the first`, async () => {
      const page = await openUsers(`?page=${number}`);
      await page.shows("1–25 of 300");
    });
  }

  test("a page past the last says so and leads back to the last", async () => {
    const page = await openUsers("?page=40");
    await page.shows(listTexts.beyond);
    await page.press("Previous");
    await page.shows("276–300 of 300");
  });

  test("shows its shape while it waits, and what it found when it comes", async () => {
    const { answer, release } = heldAnswer(pageOf([grace]));
    const page = await openUsers("", { [list]: answer });
    await page.findByLabelText(usersTexts.loading);
    release();
    await page.shows("1–1 of 1");
    expect(page.queryAllByLabelText(usersTexts.loading)).toHaveLength(0);
  });

  test("says what went wrong, and tries again when asked to", async () => {
    const page = await openUsers("", { [list]: refusal("DB_UNAVAILABLE") });
    await page.shows("Failed to load admin data: 503 Service Unavailable");
    expect(page.getByRole("link", { name: "Return to Dashboard" }).getAttribute("href")).toBe("/dashboard");
    page.answer({ [list]: pageOf([grace]) });
    await page.press("Try again");
    await page.shows("1–1 of 1");
    expect(page.has("Access Error")).toBe(false);
  });

  test("keeps what it has while a later page does not come", async () => {
    const page = await openUsers();
    await page.shows("1–25 of 300");
    page.answer({ [list]: noAnswer });
    await page.press("Next");
    await page.shows("The server cannot be reached. What you see may be out of date.");
    expect(page.has("Access Error")).toBe(false);
    expect(page.getAllByRole("row")).toHaveLength(26);
  });

  test("shows its content automatically once a server that was away is back", async () => {
    const page = await openUsers("", { [list]: noAnswer, "GET /api/health": noAnswer });
    await page.shows(/^The server cannot be reached/);
    page.answer({ [list]: pageOf([grace]), "GET /api/health": {} });
    await page.passTime(1_000);
    await page.row("Grace Hopper");
    await page.until(() => expect(page.offers("alert")).toBe(false));
  });

  test("drops an answer that a newer one has overtaken", async () => {
    const slow = heldAnswer(pageOf([{ ...grace, name: "Found too late" }]));
    const page = await openUsers();
    await page.shows("1–25 of 300");
    page.answer({ [list]: slow.answer });
    await page.choose("Role", "Admin");
    await page.until(() => expect(asked(page)).toHaveLength(2));
    page.answer({ [list]: pageOf([grace]) });
    await page.choose("Role", usersTexts.anyRole);
    await page.row("Grace Hopper");
    slow.release();
    await page.passTime(0);
    expect(page.has("Found too late")).toBe(false);
  });

  test("says that no user was found, and for which search", async () => {
    const page = await openUsers("?search=missing%20%3Cb%3E", { [list]: pageOf([]) });
    await page.shows(usersTexts.noMatch);
    await page.shows("No user's name or email contains “missing <b>”.");
  });
});
