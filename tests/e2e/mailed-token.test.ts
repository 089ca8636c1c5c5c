import { afterAll, describe, expect, test } from "bun:test";
import type { BrowserContext, Page, Request } from "playwright-core";
import { startSmtpSink } from "#api/testing/smtp-sink.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { openPage, type WatchedPage } from "../driver/browser.ts";
import { browserForFile, serverForFile } from "../driver/for-file.ts";
import { createPerson } from "../driver/person.ts";
import { removeFolder, startServer } from "../driver/start-server.ts";

const sink = await startSmtpSink();
// With a mail server links are mailed only; without one the log would show them on purpose.
const server = await serverForFile({ env: { SMTP_URL: sink.url, LOG_LEVEL: "debug" } });
const browser = await browserForFile();
afterAll(() => sink.down());

/** The link of a mail to somebody who has just registered in this browser. */
const mailedLink = async ({ request }: BrowserContext): Promise<string> => {
  const email = `${crypto.randomUUID()}@tokens.example`;
  const before = sink.mails.length;
  const person = { name: "Ada Example", email, password: "a rather fine long password" };
  const headers = { origin: server.url };
  await request.post(`${server.url}/api/auth/register`, { data: person, headers });
  await sink.received(before + 1);
  const mail = sink.mails.find(({ recipients }) => recipients.includes(email));
  return /https?:\/\/\S+\/verify-email\?token=[\w-]{43}/.exec(mail?.text ?? "")?.[0] ?? "";
};

const tokenOf = (link: string): string => link.split("token=")[1] ?? "";

/**
 * Everything that the page keeps and shows: address, history of the tab, storages, cookies, the document. The tab's own
 * storage is left out where `isForReload`: it keeps the token of a link that works until it is used.
 */
const tracesIn = async (page: Page, { isForReload = false } = {}): Promise<string> => {
  if (isForReload) await page.evaluate(() => sessionStorage.clear());
  const session = await page.context().newCDPSession(page);
  const tab = await session.send("Page.getNavigationHistory");
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.referrer,
      history.state,
      { ...localStorage },
      { ...sessionStorage },
      document.title,
      document.documentElement.outerHTML,
    ]),
  );
  const entries = tab.entries.map(({ url, title }) => [url, title]);
  return JSON.stringify([entries, kept, await page.context().cookies()]);
};

/** Opens the link, waits for `text`, goes on to another page and back. */
const follow = async ({ page, context, foreign }: WatchedPage, link: string, text: string) => {
  const asked: Request[] = [];
  const sent: Promise<Record<string, string>>[] = [];
  page.on("request", (request) => asked.push(request));
  // Of a request that is broken off, all headers are never known: those that it was begun with are.
  page.on("requestfinished", (request) => sent.push(request.allHeaders()));
  page.on("requestfailed", (request) => sent.push(Promise.resolve(request.headers())));
  await page.goto(link);
  await page.getByText(text).waitFor();
  const traces = [await tracesIn(page)];
  await page
    .getByRole("main")
    .getByRole("link", { name: /login|sign in/i })
    .click();
  await page.waitForURL("**/login");
  traces.push(await tracesIn(page));
  await page.reload({ waitUntil: "networkidle" });
  await page.goBack();
  await page.waitForURL((url) => url.pathname !== "/login");
  await page.waitForLoadState("networkidle");
  traces.push(await tracesIn(page));
  // A request that ends while the browser is closed would be asked for headers that are gone.
  page.removeAllListeners("requestfinished");
  const headers = await Promise.all(sent);
  await context.close();
  const addresses = asked.map((request) => new URL(request.url()));
  return { traces, headers, foreign, addresses };
};

describe("T4: following an emailed link leaves the token nowhere:", () => {
  const visits: [title: string, used: boolean, text: string][] = [
    ["a link that works", false, authTexts.verified],
    ["a link that was used already", true, authTexts.verificationInvalid],
  ];
  test.each(visits)("%s", async (_title, isUsed, text) => {
    const visit = await openPage(browser, { width: 1280, theme: "light" });
    const link = await mailedLink(visit.context);
    const token = tokenOf(link);
    expect(token).toHaveLength(43);
    const chosen = { name: "Ada Example", password: "a rather fine long password" };
    if (isUsed) await createPerson(server.url).call("POST", `/api/auth/verify-email/${token}`, chosen);
    const { traces, headers, foreign, addresses } = await follow(visit, link, text);
    for (const trace of traces) expect(trace).not.toContain(token);
    for (const header of headers) expect(JSON.stringify(header)).not.toContain(token);
    expect(foreign).toEqual([]);
    // The two that need it are the page itself and its one call.
    const carriers = addresses.filter(({ href }) => href.includes(token)).map(({ pathname }) => pathname);
    expect(carriers).toEqual(["/verify-email", `/api/auth/verify-email/${token}`]);
    expect(server.output()).toContain('"route":"/api/auth/verify-email/:token"');
    expect(server.output()).not.toContain(token);
  });

  test("the pages that hold a token let no address of theirs be sent along", async () => {
    for (const path of ["/verify-email", "/reset-password", "/setup"]) {
      const response = await fetch(`${server.url}${path}?token=${"A".repeat(43)}`);
      expect([path, response.headers.get("referrer-policy")]).toEqual([path, "no-referrer"]);
      expect(await response.text()).not.toContain("A".repeat(43));
    }
    expect(server.output()).not.toContain("A".repeat(43));
  });

  test("the reset link is taken out of the address bar and the history, and a reload still knows it", async () => {
    const { page, context } = await openPage(browser, { width: 1280, theme: "light" });
    const token = "R".repeat(43);
    await page.goto(`${server.url}/reset-password?token=${token}`, { waitUntil: "networkidle" });
    await page.getByText(authTexts.resetInvalid).waitFor();
    await page.reload({ waitUntil: "networkidle" });
    await page.getByText(authTexts.resetInvalid).waitFor();
    expect(await tracesIn(page, { isForReload: true })).not.toContain(token);
    await context.close();
  });

  test("the setup link is removed from the address bar and the history as well", async () => {
    // The link is good until somebody has an account, as others here do on the server that they share.
    const fresh = await startServer();
    const { page, context } = await openPage(browser, { width: 1280, theme: "light" });
    await page.goto(fresh.setupLink ?? "");
    await page.getByLabel("Full Name").waitFor();
    // The page holds the form before its script runs, and only the script takes the token out of the address.
    await page.waitForURL("**/setup");
    const token = tokenOf(fresh.setupLink ?? "");
    expect(token).toHaveLength(43);
    expect(await tracesIn(page, { isForReload: true })).not.toContain(token);
    await context.close();
    await fresh.stop();
    removeFolder(fresh.dataDir);
  });
});
