import { expect, test } from "bun:test";
import { makePng, makeSvg } from "#api/testing/images.ts";
import { comesTo, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

const stage = await stageForFile();

const name = "North & <b>wind</b>";
const imageOf = (file: string, type: string, content: string | Uint8Array) => ({
  ...{ name: file, mimeType: type },
  buffer: Buffer.from(content),
});
const tagOf = async (path: string) => (await fetch(`${stage.url}${path}`)).headers.get("etag");

test("name, color, logo and icon are set on one page, and every page has them", async () => {
  const before = await tagOf("/favicon.ico");
  const admin = await stage.open("admin");
  const { page } = admin;
  await openLive(page, `${stage.url}/admin/site`);
  const choose = async (label: string, file: ReturnType<typeof imageOf>) => {
    await page.getByLabel(`File for: ${label}`, { exact: true }).setInputFiles(file);
    await page.getByRole("group", { name: label, exact: true }).getByRole("img").waitFor();
  };
  await page.getByLabel("Site name", { exact: true }).fill(name);
  await page.getByLabel("Accent color", { exact: true }).fill("#7c3aed");
  await choose(
    "Logo",
    imageOf("logo.svg", "image/svg+xml", makeSvg('viewBox="0 0 90 30"', '<rect width="90" height="30"/>')),
  );
  await choose("Icon", imageOf("icon.png", "image/png", makePng(600, 600)));
  await page.getByText("4 fields changed").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("No unsaved changes").waitFor();
  expect(admin.complaints).toEqual([]);
  await admin.context.close();

  for (const [path, who] of [
    ["/", "visitor"],
    ["/login", "visitor"],
    ["/admin", "admin"],
    ["/docs", "visitor"],
  ] as const) {
    const visit = await stage.open(who);
    await visit.page.goto(`${stage.url}${path}`, { waitUntil: "networkidle" });
    const logo = visit.page.locator("[data-brand=logo]:visible").first();
    const box = await logo.boundingBox();
    expect([path, box?.width, box?.height]).toEqual([path, 84, 28]);
    const [, address = ""] =
      /url\("([^"]+)"\)/.exec(await logo.evaluate((element) => getComputedStyle(element).backgroundImage)) ??
      [];
    expect([path, (await fetch(address)).headers.get("content-type")]).toEqual([path, "image/svg+xml"]);
    expect(await visit.page.getByRole("link", { name, exact: true }).first().isVisible()).toBe(true);
    expect([path, visit.complaints]).toEqual([path, []]);
    await visit.context.close();
  }
  expect(await tagOf("/favicon.ico")).not.toBe(before);
});

test("a card with the site's name is drawn, and shown beside its links", async () => {
  const html = await (await fetch(`${stage.url}/`)).text();
  const [, card = ""] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? [];
  expect(card).toStartWith(`${stage.url}/site/`);
  const { page } = await stage.open("visitor");
  await page.goto(card);
  const size = await page
    .locator("img")
    .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  expect(size).toEqual([1200, 630]);
});

test("why a field can't be saved is shown above the bar that says so", async () => {
  const { page } = await stage.open("admin", { width: 1440 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openLive(page, `${stage.url}/admin/site`);
  const field = page.getByLabel("Accent color", { exact: true });
  await field.fill("blue");
  await field.press("Enter");
  const tall = page.locator("[data-foot=tall]");
  await tall.waitFor();
  const complaint = page.getByText("must be a # and six hexadecimal digits");
  const bottomOf = async (box: ReturnType<typeof complaint.boundingBox>) => {
    const { y = 0, height = 0 } = (await box) ?? {};
    return y + height;
  };
  await comesTo(
    async () => (await bottomOf(complaint.boundingBox())) <= ((await tall.boundingBox())?.y ?? 0),
    true,
  );
});

test("an image in which something would run is refused with the reason, and nothing is changed", async () => {
  const { page } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/site`);
  const hostile = makeSvg('viewBox="0 0 9 9" width="9" height="9" onload="document.title=1"');
  await page
    .getByLabel("File for: Logo", { exact: true })
    .setInputFiles(imageOf("logo.svg", "image/svg+xml", hostile));
  await page.getByText("SVG images can't contain event handlers. Remove them, then try again").waitFor();
  const unreadable = page.getByText("The browser can't read this file as an image.");
  for (const [label, file] of [
    ["Icon", imageOf("icon.png", "image/png", "a text")],
    ["Logo for the dark theme", imageOf("logo.svg", "image/svg+xml", makeSvg('viewBox="0 0 9 9"', "<g>"))],
  ] as const) {
    await page.getByLabel(`File for: ${label}`, { exact: true }).setInputFiles(file);
  }
  await comesTo(() => unreadable.count(), 2);
  await comesTo(() => page.getByText("No unsaved changes").isVisible(), true);
});
