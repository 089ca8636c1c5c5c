import type { Page } from "playwright-core";
import type { Act } from "./acts.ts";
import { message, manyMessages as messagesPage } from "./many-messages.ts";

const stub = async (page: Page) => {
  await page.route("**/api/admin/contact?**", (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
    return route.fulfill({ json: { success: true, data: messagesPage({ limit, offset }) } });
  });
  await page.route("**/api/admin/contact/*", (route) => {
    const number = Number(route.request().url().slice(-12));
    return route.fulfill({ json: { success: true, data: message(number) } });
  });
};

export const manyMessages: Act = async (page, go) => {
  await stub(page);
  await go();
  await page.getByRole("row").nth(5).waitFor();
};

export const noMessages: Act = async (page, go) => {
  await go();
  await page.getByText("No messages found").waitFor();
};

export const openMessage: Act = async (page, go) => {
  await stub(page);
  await go();
  await page.getByRole("row").nth(1).getByRole("button").click();
  await page.getByRole("dialog").getByText("203.0.113.7").waitFor();
};

export const askToDelete: Act = async (page, go) => {
  await openMessage(page, go);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Delete this message?").waitFor();
};
