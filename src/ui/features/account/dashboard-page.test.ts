import { expect, test } from "bun:test";
import { accountAnswers } from "#ui/testing/answers.ts";
import { openPages } from "#ui/testing/pages.ts";
import { gravatarUrl, signInMethod } from "./dashboard-page.tsx";
import { accountPlaces, accountScreenTexts } from "./texts.ts";

const open = openPages();

for (const from of ["/dashboard", ...accountPlaces.map(({ href }) => href)])
  test(`${from} leads to the pages of the account`, async () => {
    const page = await open(from, { as: "user", answers: accountAnswers() });
    const nav = await page.findByRole("navigation", { name: accountScreenTexts.settings });
    const links = [...nav.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(accountPlaces.map(({ href }) => href));
    expect(nav.querySelector("[aria-current=page]")?.getAttribute("href") ?? "/dashboard").toBe(from);
  });

// The hash of myemailaddress@example.com, as Gravatar's documentation computes it.
const documented = "84059b07d4be67b806386c0aad8070a23f18836bbaae342275dc0a83414c32ee";

test("an address leads to its picture at size 200, a pattern standing in", async () => {
  expect(await gravatarUrl("myemailaddress@example.com")).toBe(
    `https://www.gravatar.com/avatar/${documented}?s=200&d=identicon`,
  );
});

test("space around the address and capital letters make no difference", async () => {
  expect(await gravatarUrl(" MyEmailAddress@example.com ")).toBe(
    await gravatarUrl("myemailaddress@example.com"),
  );
});

test("Google is named when linked, then GitHub, and a password alone counts as Email", () => {
  expect(signInMethod({ googleId: "1", githubId: "2" })).toBe("Google");
  expect(signInMethod({ googleId: null, githubId: "2" })).toBe("GitHub");
  expect(signInMethod({ googleId: null, githubId: null })).toBe("Email");
});
