import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { authTexts } from "#contract/auth-texts.ts";
import { axeFindings, colourRules } from "./axe-findings.ts";
import { openLive, settle } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const password = (page: Page) => page.getByLabel("Password", { exact: true });

describe("the password's strength", () => {
  // One point each for 8 and 12 characters, upper case, lower case, digit and special character, five at most; none for
  // what is among the most common ones.
  const table = [
    { typed: "你好", label: "Very Weak", bars: 1, colour: "red" },
    { typed: "abc", label: "Weak", bars: 1, colour: "red" },
    { typed: "abc1", label: "Fair", bars: 2, colour: "orange" },
    { typed: "abdfhjk1", label: "Good", bars: 3, colour: "orange" },
    { typed: "password1", label: "Very Weak", bars: 1, colour: "red" },
    { typed: "Abdfhjk1", label: "Strong", bars: 4, colour: "green" },
    { typed: "Abdfhjk1!", label: "Very Strong", bars: 5, colour: "green" },
    { typed: "Abdfhjk1!lmnpqrs", label: "Very Strong", bars: 5, colour: "green" },
  ] as const;

  for (const theme of ["light", "dark"] as const) {
    test(`is shown in words, bars and color in ${theme}, starting with none`, async () => {
      const { page } = await stage.open("visitor", { theme });
      await openLive(page, `${stage.url}/register`);
      expect(await coloursOfBars(page)).toEqual([]);
      for (const { typed, label, bars, colour } of table) {
        await password(page).fill(typed);
        await page.getByText(`Password strength: ${label}`, { exact: true }).waitFor();
        expect([typed, await coloursOfBars(page)]).toEqual([typed, Array(bars).fill(colour)]);
      }
    });
  }
});

/** The colour family of each filled bar, from what the browser paints. */
const coloursOfBars = async (page: Page): Promise<string[]> => {
  await settle(page);
  const pixels = await page.locator("meter + div > span:not(.bg-border)").evaluateAll((bars) => {
    const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    return bars.map((bar) => {
      if (paint === null) return [];
      paint.fillStyle = getComputedStyle(bar).backgroundColor;
      paint.fillRect(0, 0, 1, 1);
      return [...paint.getImageData(0, 0, 1, 1).data];
    });
  });
  return pixels.map(familyOf);
};

const familyOf = ([red = 0, green = 0, blue = 0]: number[]): string => {
  if (green > red && green > blue) return "green";
  if (red <= blue || red <= green) return `rgb ${red} ${green} ${blue}`;
  return green - blue > (red - blue) / 3 ? "orange" : "red";
};

describe("the keyboard", () => {
  const paths = {
    "/login": [
      "Skip to content",
      "Atrium",
      "Home",
      "About",
      "Contact",
      "Toggle dark theme",
      "Login",
      "Register",
      "Email",
      "Password",
      "Show password",
      "Forgot password?",
      "Sign In",
      "Sign in with a passkey",
      "Create Account",
      "Resend Verification",
    ],
    "/verify": [
      "Skip to content",
      "Atrium",
      "Home",
      "About",
      "Contact",
      "Toggle dark theme",
      "Login",
      "Register",
      "Email Address",
      "Send Verification Email",
      "Back to Login",
    ],
  };
  for (const [path, stops] of Object.entries(paths)) {
    test(`reaches everything on ${path} in reading order, and each stop is seen`, async () => {
      const { page } = await stage.open("visitor");
      await openLive(page, `${stage.url}${path}`);
      const reached: string[] = [];
      for (const _ of stops) {
        await page.keyboard.press("Tab");
        reached.push(await focused(page));
      }
      expect(reached).toEqual(stops.map((name) => `${name}, seen`));
    });
  }

  test("leaps over the menus with the first stop", async () => {
    const { page } = await stage.open("visitor");
    await openLive(page, `${stage.url}/login`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Email, seen");
  });
});

/** Name of what has the focus, and whether its ring or outline lies within the window. */
const focused = async (page: Page): Promise<string> => {
  await settle(page);
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return "nothing";
    const label =
      element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
    const name = element.getAttribute("aria-label") ?? label?.trim();
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const hasOutline = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    // Tailwind writes absent rings as transparent shadows without extent.
    const hasRing = /(?:^|, )(?!rgba\(0, 0, 0, 0\)).*? 0px 0px 0px [1-9]/.test(boxShadow);
    const { top, bottom } = element.getBoundingClientRect();
    const isInWindow = top >= 0 && bottom <= innerHeight;
    return `${name}, ${(hasOutline || hasRing) && isInWindow ? "seen" : `not seen (${boxShadow})`}`;
  });
};

describe("a new account", () => {
  test("is told while a password is typed that it is among the most common ones, in any case, and nothing is fetched before", async () => {
    const { page } = await stage.open("visitor", { width: 320 });
    const lists: string[] = [];
    page.on("request", (request) => request.url().includes("common-passwords") && lists.push(request.url()));
    await openLive(page, `${stage.url}/register`);
    const hint = page.getByText(authTexts.passwordCommon);
    await password(page).focus();
    expect(lists).toEqual([]);
    for (const common of ["password1", "quite another one", "Password123"]) {
      await password(page).fill(common);
      await hint.waitFor({ state: common.startsWith("quite") ? "detached" : "attached" });
    }
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html.dark").waitFor();
    await settle(page);
    expect(await axeFindings(page, { rules: colourRules })).toEqual([]);
    expect(lists).toHaveLength(1);
  });
});
