import { describe, expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { comesTo, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";
import { answerUnsure } from "./unsure-page.ts";

const stage = await stageForFile();

/** Holds requests back until they are let go. */
const hold = async (page: Page, url: string | RegExp) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route: Route) => {
    await promise;
    await route.continue();
  });
  return resolve;
};

const avatar = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Account menu" });
const focusWindow = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("focus")));

describe("the first check of who is signed in", () => {
  test("shows nothing but the gate until it has finished, then the page", async () => {
    const { page } = await stage.open("user");
    await page.route("**/dashboard", answerUnsure);
    const release = await hold(page, "**/api/auth/user");
    await openLive(page, `${stage.url}/dashboard`);
    expect(await page.locator("main").textContent()).toBe("Initializing system...");
    expect(await page.locator("header, nav, footer, a, button").count()).toBe(0);
    release();
    await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
    await page.getByText("Initializing system...").waitFor({ state: "detached" });
  });

  test("leads a visitor from the gate to the sign-in page, which remembers the way", async () => {
    const { page } = await stage.open("visitor");
    await page.route("**/admin/users?**", answerUnsure);
    await openLive(page, `${stage.url}/admin/users?search=ada`);
    await page.waitForURL(`${stage.url}/login?from=%2Fadmin%2Fusers%3Fsearch%3Dada`);
  });

  test("is repeated when the window regains focus and no user was signed in", async () => {
    const visit = await stage.open("visitor");
    const { page } = visit;
    await openLive(page, `${stage.url}/`);
    await page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
    await stage.signIn(visit, "user");
    await focusWindow(page);
    await avatar(page).waitFor();
    const asked: string[] = [];
    // What else a page asks when somebody is there, such as for the licence, may come a moment later.
    page.on("request", (request) => {
      if (/\/api\/(?:auth|health)\b/.test(request.url())) asked.push(request.url());
    });
    await focusWindow(page);
    await page.evaluate(() => fetch("/api/health"));
    // A member may have been signed out elsewhere, but that is not asked at every move between windows.
    await focusWindow(page);
    await page.evaluate(() => fetch("/api/health?second"));
    expect(asked.map((url) => url.slice(stage.url.length))).toEqual([
      "/api/auth/user",
      "/api/health",
      "/api/health?second",
    ]);
  });
});

describe("the code of a page", () => {
  test("that has not come after 120 seconds is given up, and can be asked for again", async () => {
    const { page } = await stage.open("visitor");
    await page.clock.install();
    const release = await hold(page, "**/assets/contact-page-*.js");
    await openLive(page, `${stage.url}/`);
    await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
    await page.getByText("Loading…").waitFor({ state: "attached" });
    await page.clock.fastForward(115_000);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.clock.fastForward(10_000);
    await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor();
    release();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Contact" }).waitFor();
  });

  test("that is gone since an update of the server comes with a new document", async () => {
    const { page } = await stage.open("visitor");
    let isUpdated = false;
    await page.route("**/assets/contact-page-*.js", (route) =>
      isUpdated ? route.continue() : route.fulfill({ status: 404, body: "Not Found" }),
    );
    await openLive(page, `${stage.url}/`);
    await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    page.on("request", (request) => {
      isUpdated ||= request.isNavigationRequest();
    });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Contact" }).waitFor();
    expect(isUpdated).toBe(true);
  });
});

describe("what is done before the page is live", () => {
  test("a form filled in and sent early is sent once with what was typed", async () => {
    const { page } = await stage.open("visitor");
    const release = await hold(page, "**/assets/main-*.js");
    const sent: unknown[] = [];
    await page.route("**/api/auth/login", (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({
        status: 401,
        json: { success: false, code: "INVALID_CREDENTIALS", message: "No" },
      });
    });
    await page.goto(`${stage.url}/login`, { waitUntil: "commit" });
    await page.getByLabel("Email").fill("early@example.test");
    await page.getByLabel("Password", { exact: true }).fill("typed before it was live");
    await page.getByLabel("Password", { exact: true }).press("Enter");
    release();
    await page.getByRole("alert").getByText("No").waitFor();
    expect(sent).toEqual([{ email: "early@example.test", password: "typed before it was live" }]);
    expect(new URL(page.url()).search).toBe("");
    expect(await page.getByLabel("Email").inputValue()).toBe("early@example.test");
  });

  test("a password typed early is measured once the page is live, and a press on a button is not lost", async () => {
    const { page } = await stage.open("visitor");
    const release = await hold(page, "**/assets/main-*.js");
    await page.goto(`${stage.url}/register`, { waitUntil: "commit" });
    await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
    await page.getByRole("button", { name: "Show password" }).click();
    release();
    await page.getByText("Password strength: Very Strong").waitFor();
    await page.getByRole("button", { name: "Hide password" }).waitFor();
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("Correct-horse-7");
  });

  test("typing that continues while the page hydrates loses no letter", async () => {
    const { page } = await stage.open("visitor");
    const release = await hold(page, "**/assets/main-*.js");
    await page.addInitScript(() => {
      const listen = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (...words: Parameters<typeof listen>) {
        listen.apply(this, words);
        const field = document.querySelector("input[name=password]");
        // React listens to the whole page first; what it takes over comes after that.
        const isTakenOver = this instanceof Element && this.id === "app" && words[0] === "pointerdown";
        if (!isTakenOver || !(field instanceof HTMLInputElement)) return;
        EventTarget.prototype.addEventListener = listen;
        field.value += "-7";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      };
    });
    await page.goto(`${stage.url}/register`, { waitUntil: "commit" });
    await page.getByLabel("Password", { exact: true }).fill("Correct-horse");
    release();
    await page.getByText("Password strength: Very Strong").waitFor();
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("Correct-horse-7");
  });

  test("theme and menu work while the application is still on its way", async () => {
    const { page } = await stage.open("visitor", { width: 390 });
    await hold(page, "**/assets/main-*.js");
    await page.goto(`${stage.url}/`, { waitUntil: "commit" });
    await page.getByRole("button", { name: "Toggle dark theme" }).click();
    await page.locator("html.dark").waitFor();
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "About" }).waitFor();
  });
});

describe("the menus of a phone", () => {
  for (const [path, who, links] of [
    ["/", "visitor", ["Home", "About", "Login", "Register"]],
    ["/admin", "admin", ["Overview", "Users", "Home", "About"]],
  ] as const) {
    test(`the drawer of ${path} is at most 320 px wide and names ${links.join(", ")}`, async () => {
      const { page } = await stage.open(who, { width: 390 });
      await openLive(page, `${stage.url}${path}`);
      await page.getByRole("button", { name: "Open menu" }).click();
      const drawer = page.getByRole("dialog");
      await drawer.waitFor();
      expect((await drawer.boundingBox())?.width).toBeLessThanOrEqual(320);
      for (const name of links) {
        const box = await drawer.getByText(name, { exact: true }).boundingBox();
        expect([name, box?.width]).toSatisfy(([, width]) => Number(width) > 30);
      }
      await drawer.getByText("About", { exact: true }).click();
      await page.waitForURL("**/about");
      await page.locator("dialog:modal").waitFor({ state: "detached" });
    });
  }

  test("the sidebar folds on a tablet, unfolds when asked to, and stays as it was left", async () => {
    const { page } = await stage.open("admin", { width: 800 });
    const width = async () => (await page.locator("aside").boundingBox())?.width;
    await openLive(page, `${stage.url}/admin`);
    await comesTo(width, 60);
    await page.getByRole("button", { name: "Collapse or expand the sidebar" }).click();
    // The browser acknowledges a press before the page has been laid out anew.
    await comesTo(width, 248);
    await openLive(page, `${stage.url}/admin/users`);
    await comesTo(width, 248);
  });
});

describe("the theme", () => {
  for (const [stored, device, isDark] of [
    [null, "dark", true],
    [null, "light", false],
    ["system", "dark", true],
    ["light", "dark", false],
    ["dark", "light", true],
    ["nonsense", "dark", true],
  ] as const) {
    test(`stored ${stored} on a ${device} device is ${isDark ? "dark" : "light"} before anything is drawn`, async () => {
      const { page } = await stage.open("visitor", { theme: device });
      await page.addInitScript((mode) => {
        if (mode !== null) localStorage.setItem("theme-mode", mode);
        // The body has not begun when the class is decided on: nothing could have been drawn in the other theme.
        new MutationObserver((_, observer) => {
          if (document.body === null) return;
          document.documentElement.dataset.first = String(
            document.documentElement.classList.contains("dark"),
          );
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      }, stored);
      await page.goto(`${stage.url}/`, { waitUntil: "domcontentloaded" });
      expect(await page.locator("html").getAttribute("data-first")).toBe(String(isDark));
    });
  }

  test("follows the device immediately until a theme is chosen, which is stored under theme-mode", async () => {
    const { page } = await stage.open("visitor");
    await openLive(page, `${stage.url}/`);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html.dark").waitFor();
    await page.getByRole("button", { name: "Light theme" }).click();
    await page.locator("html:not(.dark)").waitFor();
    await comesTo(() => page.evaluate(() => localStorage.getItem("theme-mode")), "light");
    await comesTo(
      () => page.getByRole("button", { name: "Light theme" }).getAttribute("aria-pressed"),
      "true",
    );
    await page.getByRole("button", { name: "System theme" }).click();
    await page.locator("html.dark").waitFor();
  });
});

describe("the connection", () => {
  test("a banner says that the server is away, and disappears when it is back", async () => {
    const { page } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin`);
    await page.getByText("Admin Access Granted").waitFor();
    await page.route("**/api/**", (route) => route.abort());
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("This page retries automatically.").waitFor();
    const stale = page.getByRole("alert").getByText("What you see may be out of date.");
    await stale.waitFor();
    await page.getByText("Admin Access Granted").waitFor();
    await page.unrouteAll();
    await page.getByText("This page retries automatically.").waitFor({ state: "detached" });
    await stale.waitFor({ state: "detached" });
  });

  test("one call that a gateway refuses again and again, while others are answered, reloads nothing for ever", async () => {
    const { page } = await stage.open("admin");
    let asked = 0;
    await page.route("**/api/system/info", (route) => {
      asked += 1;
      return route.fulfill({ status: 503, body: "<h1>Service Unavailable</h1>", contentType: "text/html" });
    });
    await openLive(page, `${stage.url}/admin`);
    await page.getByRole("main").getByRole("alert").first().waitFor();
    await page.waitForLoadState("networkidle");
    expect(asked).toBeLessThanOrEqual(2);
    expect(await page.getByText("This page retries automatically.").count()).toBe(0);
  });
});
