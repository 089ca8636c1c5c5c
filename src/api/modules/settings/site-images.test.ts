import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSiteFile } from "#api/adapters/site-file.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { makePng, makeSvg } from "#api/testing/images.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { type ImageUse, iconSizes, imageTexts } from "#contract/site-images.ts";
import { siteSettings } from "#contract/site-settings.ts";

const site = "/api/auth/settings/site";
const { defaults } = siteSettings;

const host = await hostForFile({ settings: "stored" });
let admin = await host.signedIn("admin");
afterEach(() => admin.call("PUT", site, { logo: "", logoDark: "", icon: "", card: "", name: defaults.name }));

type Sent = [use: ImageUse, bytes: Uint8Array | string];
const upload = async (image: string, ...files: Sent[]) => {
  const sent = files.map(([use, bytes]) => ({ use, content: Buffer.from(bytes).toString("base64") }));
  const answer = await admin.call("POST", `${site}/images`, { image, files: sent });
  return { status: answer.status, ...(await answer.json()) };
};
const current = () => host.services.settings.current.site;
const visit = (path: string, etag = "") =>
  host.visitor().call("GET", path, undefined, { "if-none-match": etag });

const svg = makeSvg('viewBox="0 0 90 40"');
const icon: Sent[] = [
  ...iconSizes.icon.map((size): Sent => ["icon", makePng(size, size)]),
  ...iconSizes.maskable.map((size): Sent => ["maskable", makePng(size, size)]),
];

test("an uploaded logo is used once its setting names it, and again after the change was reverted and reverted back", async () => {
  const { data } = await upload("logo", ["full", svg], ["email", makePng(144, 64)]);
  expect([current().logo, data.files.map(({ use }: { use: string }) => use)]).toEqual([
    "",
    ["full", "email"],
  ]);
  await admin.call("PUT", site, { logo: data.value });
  expect(current().logo).toBe(data.value);
  const newest = async () =>
    (await (await admin.call("GET", "/api/auth/settings/history?section=site&limit=1")).json()).data
      .changes[0].id;
  for (const logo of ["", data.value]) {
    await admin.call("POST", `/api/auth/settings/history/${await newest()}/revert`);
    expect(current().logo).toBe(logo);
  }
});

test("its files come from addresses that never change, as images in which nothing runs", async () => {
  const { data } = await upload("logo", ["full", svg]);
  const [{ address }] = data.files;
  const answer = await visit(address);
  expect(await answer.text()).toBe(svg);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": expect.stringContaining("sandbox; default-src 'none'"),
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect((await visit(address, answer.headers.get("etag") ?? "")).status).toBe(304);
  for (const other of [address.replace(/[0-9a-f]{32}/, "0".repeat(32)), `${address}x`, "/site/../api"])
    expect([other, (await visit(other)).headers.get("content-type")]).not.toContain("image/svg+xml");
});

test("an icon answers where browsers look for one, and another one follows by its entity tag", async () => {
  const paths = [
    "/favicon.ico",
    "/favicon.svg",
    "/apple-touch-icon.png",
    "/icon-192.png",
    "/icon-maskable-512.png",
  ];
  const tags: (string | null)[][] = [];
  for (const files of [
    icon,
    [...icon, ["full", svg] satisfies Sent],
    [["full", makePng(600, 600)] satisfies Sent],
  ]) {
    const { data } = await upload("icon", ...files);
    expect((await admin.call("PUT", site, { icon: data.value })).status).toBe(200);
    const answers = await Promise.all(paths.map((path) => visit(path)));
    tags.push(answers.map(({ headers }) => headers.get("etag")));
    expect(answers.map(({ headers }) => headers.get("cache-control"))).toEqual(
      paths.map(() => "public, no-cache"),
    );
    expect(answers.map(({ headers }) => headers.get("content-type"))).toEqual(
      paths.map((path) => (path.endsWith("svg") ? "image/svg+xml" : "image/png")),
    );
  }
  for (const at of paths.keys()) expect(new Set(tags.map((row) => row[at])).size).toBe(3);
});

test("a card that was drawn goes with the name that it shows, one that was chosen stays", async () => {
  const drawn = (await upload("card", ["drawn", makePng(1200, 630)])).data.value;
  await admin.call("PUT", site, { name: "Northwind", card: drawn });
  expect(current().card).toBe(drawn);
  await admin.call("PUT", site, { name: "Southwind" });
  expect(current().card).toBe("");
  const chosen = (await upload("card", ["full", makePng(1200, 630)])).data.value;
  await admin.call("PUT", site, { card: chosen });
  await admin.call("PUT", site, { name: defaults.name });
  expect(current().card).toBe(chosen);
});

test("an image's files can't be those of another image", async () => {
  const logo = (await upload("logo", ["full", svg])).data.value;
  const whole = (await upload("icon", ...icon)).data.value;
  for (const [name, value, message] of [
    ["icon", logo, imageTexts.iconWanted],
    ["card", logo, imageTexts.cardWanted],
    ["logo", whole, imageTexts.wrongUse("logo")],
  ]) {
    const answer = await admin.call("PUT", site, { [name]: value });
    expect([name, answer.status, (await answer.json()).errors]).toEqual([
      name,
      422,
      [{ path: name, message }],
    ]);
  }
  const wrong = { image: "sign", files: [{ use: "large", content: "" }] };
  const { errors } = await (await admin.call("POST", `${site}/images`, wrong)).json();
  expect(errors).toMatchObject([
    { path: "image", message: "Please choose logo, logoDark, icon or card" },
    { path: "files.0.use", message: "Please choose full, email, icon, maskable or drawn" },
  ]);
});

test("files that are no images, or not those of an image, are refused at their place and change nothing", async () => {
  const before = current();
  const refused: [image: string, files: Sent[], path: string, message: string][] = [
    ["logo", [["full", "logo.png"]], "files.0", imageTexts.unknown],
    [
      "logo",
      [
        ["full", svg],
        ["email", svg],
      ],
      "files.1",
      imageTexts.wantsPng,
    ],
    ["logo", [["email", makePng(9, 9)]], "files", imageTexts.logoWanted],
    [
      "logo",
      [
        ["full", svg],
        ["full", svg],
      ],
      "files",
      imageTexts.twice,
    ],
    ["logoDark", [["email", makePng(9, 9)]], "files.0", imageTexts.wrongUse("logoDark")],
    ["icon", [["full", svg]], "files", imageTexts.iconWanted],
    ["icon", [["full", makePng(500, 500)]], "files", imageTexts.iconWanted],
    ["icon", icon.slice(1), "files", imageTexts.iconWanted],
    ["card", [["full", makePng(1200, 600)]], "files", imageTexts.cardWanted],
  ];
  for (const [image, files, path, message] of refused)
    expect([image, await upload(image, ...files)]).toMatchObject([
      image,
      { status: 422, errors: [{ path, message }] },
    ]);
  const files = [{ use: "full", content: "<svg>" }];
  expect(
    (await (await admin.call("POST", `${site}/images`, { image: "logo", files })).json()).errors,
  ).toEqual([{ path: "files.0", message: imageTexts.notBase64 }]);
  const unknown = `${"0".repeat(32)} full-9x9.png`;
  for (const logo of [unknown, "../../etc/passwd", `${unknown} full-9x9.html`])
    expect((await (await admin.call("PUT", site, { logo })).json()).errors).toEqual([
      { path: "logo", message: imageTexts.notUploaded },
    ]);
  expect(current()).toEqual(before);
});

test("a file is kept while settings or their history name it, any other for a day after its last upload", async () => {
  const nextDay = async () => {
    host.clock.advance(25 * 60 * 60 * 1000);
    admin = await host.signedIn("admin");
  };
  const send = async (edge: number): Promise<{ value: string; address: string }> => {
    const { data } = await upload("logo", ["full", makePng(edge, edge)]);
    return { value: data.value, address: data.files[0].address };
  };
  const [former, now, other] = [await send(5), await send(6), await send(7)];
  for (const { value } of [former, now]) await admin.call("PUT", site, { logo: value });
  const answers = () =>
    Promise.all([former, now, other].map(async ({ address }) => (await visit(address)).status));
  await nextDay();
  await send(7);
  await send(8);
  expect(await answers()).toEqual([200, 200, 200]);
  await nextDay();
  await send(9);
  expect(await answers()).toEqual([200, 200, 404]);
});

test("SITE_FILE names no images", () => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-site-file-"));
  const file = join(folder, "site.json");
  writeFileSync(file, '{"logo":"","name":"Northwind"}');
  const log = createRecordingLog();
  expect(readSiteFile(file, { kept: {}, log })).toEqual({ name: "Northwind" });
  expect(log.entries.map(({ fields }) => fields?.reason)).toEqual([
    "logo: images are uploaded, not named in the file",
  ]);
  rmSync(folder, { recursive: true });
});
