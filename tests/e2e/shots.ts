import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, openPage, type View } from "../driver/browser.ts";
import { giveSession, signedInPeople } from "../driver/people.ts";
import { removeFolder, startServer } from "../driver/start-server.ts";
import { pageList } from "./page-list.ts";

/** Writes a picture of every page at three widths in both themes, and of its dialogs, into `shots/`. */
const folder = join(import.meta.dir, "..", "..", "shots");
const widths = [390, 768, 1280];
const wanted = process.argv[2] ?? "";

mkdirSync(folder, { recursive: true });
const server = await startServer();
const cookies = await signedInPeople(server);
const browser = await launchBrowser();

const shoot = async (name: string, view: View, who: "visitor" | "user" | "admin", path: string, act = "") => {
  const { page, context } = await openPage(browser, { ...view, touch: view.width < 500 });
  if (who !== "visitor") await giveSession(context, server.url, cookies[who]);
  await page.goto(`${server.url}${path}`, { waitUntil: "networkidle" });
  if (act === "submit") await page.locator("form button[type=submit]").first().click();
  if (act === "menu") await page.getByRole("button", { name: /menu/i }).first().click();
  if (act === "logout") await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.waitForTimeout(150);
  const file = join(folder, `${name}-${view.width}-${view.theme}.png`);
  await page.screenshot({ path: file, fullPage: act === "" });
  await context.close();
};

for (const theme of ["light", "dark"] as const) {
  for (const width of widths) {
    const view = { width, theme };
    for (const { name, path, who } of pageList) if (name.includes(wanted)) await shoot(name, view, who, path);
    if ("forms".includes(wanted)) {
      await shoot("login-errors", view, "visitor", "/login", "submit");
      await shoot("register-errors", view, "visitor", "/register", "submit");
      await shoot("logout-dialog", view, "user", "/dashboard", "logout");
      if (width < 768) await shoot("drawer", view, "visitor", "/", "menu");
    }
  }
}
await browser.close();
await server.stop();
removeFolder(server.dataDir);
console.log(`pictures are in ${folder}`);
