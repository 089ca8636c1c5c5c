import { expect, test } from "bun:test";
import { openPage } from "../driver/browser.ts";
import { browserForFile, peopledForFile } from "../driver/for-file.ts";
import { mailedLink } from "../driver/outbox.ts";
import { giveSession } from "../driver/people.ts";
import { createPerson } from "../driver/person.ts";

const { server, cookies } = await peopledForFile();
const browser = await browserForFile();

/** Another site, as browsers see it: another name of this machine, with pages of its own making. */
const openForeignSite = (body: string) => {
  const name = new URL(server.url).hostname === "localhost" ? "127.0.0.1" : "localhost";
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(`<!doctype html>${body}`, { headers: { "content-type": "text/html" } }),
  });
  return { url: `http://${name}:${site.port}/`, close: () => site.stop(true) };
};

/** Shows a signed-in user another site with these lures to `target`, presses its link, and tells what was answered. */
const lure = async (target: string): Promise<{ statuses: number[]; isSignedIn: boolean }> => {
  const url = `${server.url}${target}`;
  const foreign = openForeignSite(
    `<link rel="prefetch" href="${url}"><img src="${url}"><iframe src="${url}"></iframe><a href="${url}">Win</a>`,
  );
  const { page, context } = await openPage(browser, { width: 800, theme: "light", touch: false });
  try {
    await giveSession(context, server.url, cookies.user);
    const statuses: number[] = [];
    page.on("response", (answer) => void (answer.url() === url && statuses.push(answer.status())));
    await page.goto(foreign.url, { waitUntil: "networkidle" });
    const [answer] = await Promise.all([page.waitForEvent("response"), page.getByText("Win").click()]);
    await answer.finished();
    const mine = await context.request.get(`${server.url}/api/auth/user`);
    return { statuses, isSignedIn: mine.status() === 200 };
  } finally {
    await context.close();
    foreign.close();
  }
};

test("C2: another site's images, frames, prefetches and links sign no one out", async () => {
  const { statuses, isSignedIn } = await lure("/api/auth/logout");
  expect(statuses.length).toBeGreaterThanOrEqual(2);
  expect(new Set(statuses)).toEqual(new Set([403]));
  expect(isSignedIn).toBe(true);
});

test("C2: nor do they use up a verification link, which works afterwards", async () => {
  const email = "grace.again@example.test";
  const visitor = createPerson(server.url);
  const body = { name: "Grace", email, password: "a rather fine long password" };
  await visitor.call("POST", "/api/auth/register", body);
  const link = await mailedLink(server.dataDir, email, "/verify-email");
  const target = `/api/auth/verify-email/${new URL(link).searchParams.get("token")}`;
  expect(new Set((await lure(target)).statuses)).toEqual(new Set([403]));
  expect((await visitor.call("GET", target)).status).toBe(200);
});
