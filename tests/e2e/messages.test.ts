import { describe, expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { hostileMarkup } from "#api/testing/hostile-markup.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { parseCsv } from "#api/testing/parse-csv.ts";
import { sized } from "#api/testing/size.ts";
import { createPerson } from "../driver/person.ts";
import { comesTo, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();
let sent = 0;

/** Sends messages of these texts, the last one last. */
const send = async (texts: readonly string[], subject = "General") => {
  for (const message of texts) {
    sent += 1;
    const writer = createPerson(stage.url, `198.51.${Math.floor(sent / 200)}.${(sent % 200) + 1}`);
    const name = message.replace(/\s+/g, " ").slice(0, 100);
    const email = `writer${sent}@northwind.example`;
    const { status } = await writer.call("POST", "/api/contact", { name, email, subject, message });
    expect(status).toBe(201);
  }
};

const openMessages = async (query = "") => {
  const visit = await stage.open("admin");
  await openLive(visit.page, `${stage.url}/admin/messages${query}`);
  return visit;
};
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const sheet = (page: Page) => page.getByRole("dialog", { name: /^Message/ });
const weight = (page: Page, text: string) =>
  row(page, text).evaluate((element) => Number(getComputedStyle(element).fontWeight));

describe("the admin's page of messages", () => {
  const step = inOrder();

  step(
    "shows the newest first and unread ones bold, opens one with its whole text, and it is read",
    async () => {
      await send(["Older message", "Newer message\n\nwith <b>two</b> parts"]);
      const { page, complaints } = await openMessages();
      await row(page, "Newer").waitFor();
      const first = page.getByRole("row").nth(1);
      expect(await first.textContent()).toContain("Newer message");
      expect(await weight(page, "Newer")).toBeGreaterThanOrEqual(600);
      await first.click();
      await sheet(page).getByRole("paragraph").filter({ hasText: "with <b>two</b> parts" }).waitFor();
      expect(await sheet(page).locator("b").count()).toBe(0);
      const reply = sheet(page).getByRole("link", { name: "Reply by email" });
      expect(await reply.getAttribute("href")).toMatch(
        /^mailto:writer\d+@northwind\.example\?subject=Re%3A%20General$/,
      );
      await page.keyboard.press("Escape");
      await sheet(page).waitFor({ state: "detached" });
      await page.getByText("2 open, 1 unread").waitFor();
      await comesTo(async () => (await weight(page, "Newer")) < 600, true);
      expect(await weight(page, "Older")).toBeGreaterThanOrEqual(600);
      expect(page.url()).toBe(`${stage.url}/admin/messages`);
      expect(complaints).toEqual([]);
    },
  );

  step("is led to from the overview while something is unread, and the menu says how much", async () => {
    const { page, context } = await stage.open("admin");
    await openLive(page, `${stage.url}/admin`);
    const item = page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: /^Messages/ });
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText("1 unread message", { exact: true }).waitFor();
    await comesTo(() => item.textContent(), "Messages1 unread");
    await attention.getByRole("link", { name: "View messages" }).click();
    await row(page, "Older").getByRole("button").click();
    await page.getByText(/open, 0 unread/).waitFor({ state: "attached" });
    await comesTo(() => item.textContent(), "Messages");
    await context.close();
  });

  step("saves what matches as a file of the day's name", async () => {
    await send(["=1+1 exported", "exported too"], "Support");
    const { page, context } = await openMessages("?search=exported");
    for (const format of ["csv", "ndjson"]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: `Export ${format.toUpperCase()}` }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(
        new RegExp(`^contact-messages-\\d{4}-\\d\\d-\\d\\d\\.${format}$`),
      );
      const text = readFileSync(await download.path(), "utf8");
      if (format === "csv") expect(parseCsv(text).map((cells) => cells[5])).toEqual(saved);
      else expect(text.trimEnd().split("\n")).toHaveLength(2);
    }
    await context.close();
  });
  const saved = ["message", "exported too", "'=1+1 exported"];

  // One of each kind, or all of them.
  const everySo = sized(8, 1);
  step(
    `L1: shows 200 hostile texts as text in every row, and ${200 / everySo} in a sheet, and runs none`,
    async () => {
      await send(hostileMarkup, "Support");
      const { page, complaints, foreign } = await openMessages("?subject=Support");
      const dialogs: string[] = [];
      page.on("dialog", (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      const newestFirst = [...hostileMarkup].reverse();
      for (let first = 0; first < newestFirst.length; first += 25) {
        await page.getByText(`${first + 1}–${first + 25} of`).waitFor();
        const expected = newestFirst.slice(first, first + 25);
        await comesTo(
          () => page.locator("tbody td:nth-child(3)").allTextContents(),
          expected.map((text) => text.slice(0, 160)),
        );
        for (const [at, text] of expected.entries()) {
          if ((first + at) % everySo !== 0) continue;
          await page.locator("tbody tr").nth(at).getByRole("button").click();
          await comesTo(() => sheet(page).locator("p.whitespace-pre-wrap").textContent(), text);
          await page.keyboard.press("Escape");
          await sheet(page).waitFor({ state: "detached" });
        }
        await page.getByRole("button", { name: "Next" }).click();
      }
      expect({ dialogs, complaints, foreign }).toEqual({ dialogs: [], complaints: [], foreign: [] });
    },
    180_000,
  );
});
