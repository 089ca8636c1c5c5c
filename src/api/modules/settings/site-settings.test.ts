import { beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { createSiteCache, readSiteFile } from "#api/adapters/site-file.ts";
import { settings } from "#api/db/schema.ts";
import { createFixedFirewall } from "#api/testing/fixed-settings.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { startSettings } from "#api/testing/settings-process.ts";
import { settingsTexts } from "#contract/settings.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { getSite, updateSettings } from "./change-settings.ts";

const path = "/api/auth/settings/site";
const managing = { installed: true, enabled: true, masterSwitchEnabled: true, rateLimitingEnabled: true };

const host = await hostForFile({ settings: "stored", firewall: createFixedFirewall(managing) });
const admin = await host.signedIn("admin");

const { defaults } = siteSettings;
beforeEach(() => admin.call("PUT", path, defaults));

const read = async () => {
  const { locked, ...values } = (await (await admin.call("GET", path)).json()).data;
  expect(locked).toEqual([]);
  return values;
};

test("a site is called what an admin says, whatever the firewall manages, and the change can be taken back", async () => {
  expect(await read()).toEqual(defaults);
  const names = ["شركة الشمال", "🦊".repeat(40), '</title><script>alert("1")</script>'];
  for (const name of names) {
    expect([name, (await admin.call("PUT", path, { name })).status]).toEqual([name, 200]);
    expect(host.services.settings.current.site).toEqual({ ...defaults, name });
  }
  const { data } = await (await admin.call("GET", "/api/auth/settings/history?limit=1")).json();
  expect(data.changes).toMatchObject([
    { section: "site", fields: [{ path: "name", before: names[1], after: names[2] }], canRevert: true },
  ]);
  await admin.call("POST", `/api/auth/settings/history/${data.changes[0].id}/revert`);
  expect((await read()).name).toBe(names[1]);
});

test("what can't be a name, a color or an email address is refused at its field, and changes nothing", async () => {
  const refused: [field: keyof typeof defaults, value: unknown][] = [
    ...["", " ", "\u200f", "North\u202ewind", "North\nwind", "🦊".repeat(41), 1, null].map(
      (value): [keyof typeof defaults, unknown] => ["name", value],
    ),
    ...["teal", "#0f766", "#0f766e80", "0f766e", "#ggg000", "url(//x)", ""].map(
      (value): [keyof typeof defaults, unknown] => ["accent", value],
    ),
    ...["help", "help@localhost", "a@b.example, c@b.example", "a?bcc=c@b.example"].map(
      (value): [keyof typeof defaults, unknown] => ["supportEmail", value],
    ),
    ["shortName", "a".repeat(13)],
    ...[
      "https://b.example",
      "Us http://b.example",
      "Us javascript:alert(1)",
      "U\u202es https://b.example",
      "Us https://[",
      "Us https://.",
      "Us https://us:secret@b.example/",
      `Us https://b.example/${"a".repeat(1_000)}`,
    ].map((link): [keyof typeof defaults, unknown] => ["socialLinks", [link]]),
    ["socialLinks", Array.from({ length: 9 }, (_, at) => `Us https://b.example/${at}`)],
    ...["/", "notes", "//b.example", "https://b.example", "/notes/*", "constructor"].map(
      (home): [keyof typeof defaults, unknown] => ["home", home],
    ),
    ...["a".repeat(40_001), "a\u0000b", "a\ue000name\ue001"].map((text): [keyof typeof defaults, unknown] => [
      "termsText",
      text,
    ]),
    ...[
      "https://[",
      "https://",
      "https://.",
      "https://us:secret@b.example",
      ">".repeat(21),
      "- ".repeat(30),
    ].map((text): [keyof typeof defaults, unknown] => ["privacyText", text]),
    ["homeText", `a\n\n${"> 1. * ".repeat(8)}`],
    ["docs", "nobody"],
    ["address", "Street 1\nTown"],
  ];
  for (const [field, value] of refused) {
    const answer = await admin.call("PUT", path, { [field]: value });
    const { errors } = await answer.json();
    expect([field, value, answer.status, errors?.[0]?.path]).toEqual([field, value, 422, field]);
  }
  expect(await read()).toEqual(defaults);
});

test("a change of the name tells of the home page, while that presents the program", async () => {
  const messageOf = async (change: object) => (await (await admin.call("PUT", path, change)).json()).message;
  expect(await messageOf({ name: "Northwind" })).toBe(settingsTexts.siteSavedWithLanding);
  expect(await messageOf({ tagline: "For everyone" })).toBe(settingsTexts.siteSaved);
  expect(await messageOf({ name: "Southwind", home: "sections" })).toBe(settingsTexts.siteSaved);
});

test("only what differs from the build's defaults is stored; what is set back follows them again", async () => {
  const rowOf = async () =>
    (await host.db.select().from(settings).where(eq(settings.section, "site"))).map(({ value }) => value);
  await admin.call("PUT", path, {
    ...defaults,
    tagline: "For everyone",
    socialLinks: ["Us https://b.example"],
  });
  expect(await rowOf()).toEqual([{ tagline: "For everyone", socialLinks: ["Us https://b.example"] }]);
  await admin.call("PUT", path, { tagline: defaults.tagline });
  expect(await rowOf()).toEqual([{ socialLinks: ["Us https://b.example"] }]);
  await admin.call("PUT", path, { socialLinks: [] });
  expect(await rowOf()).toEqual([]);
  expect(await read()).toEqual(defaults);
});

test("texts have lines, links a label each, and a home page of a feature has to be in the build", async () => {
  const change = { termsText: "# Terms\n\n- one\n", socialLinks: ["My 🦊 <b> https://b.example/@us"] };
  expect((await admin.call("PUT", path, change)).status).toBe(200);
  expect(await read()).toMatchObject({ termsText: "# Terms\n\n- one", socialLinks: change.socialLinks });
  const operator = await startSettings(host.db, undefined, null, undefined, {}, () => ["sections", "/notes"]);
  const choose = (home: string) => updateSettings(operator.ctx, siteSettings, { home });
  expect(await choose("/gone").catch(({ errors }) => errors)).toEqual([
    { path: "home", message: settingsTexts.noHomePage("/gone") },
  ]);
  for (const home of ["/notes", "sections", defaults.home]) expect((await choose(home)).data.home).toBe(home);
  operator.stop();
});

test("what SITE_FILE sets is in force and can't be changed; a field with a mistake keeps what the file set before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "atrium-site-file-"));
  const file = join(folder, "site.json");
  const log = createRecordingLog();
  const kept = { name: "Former", tagline: "Former tagline" };
  const read = (text: string) => {
    writeFileSync(file, text);
    return readSiteFile(file, { kept, log, homePages: () => ["/notes"] });
  };
  const fixed = read(
    '{"name":" Northwind ",\n"tagline":"a\\u0000","accent":"blue",\n\n"other":1,\n"home":"/gone"}',
  );
  expect(fixed).toEqual({ name: "Northwind", tagline: "Former tagline" });
  expect(read('{"home":"/notes"}')).toEqual({ home: "/notes" });
  for (const broken of ['{\n"name": "a"\n"tagline": "b"}', "[]"]) expect(read(broken)).toEqual(kept);
  const said = log.entries.map(({ message, fields }) => [
    String(fields?.reason).split(":")[0],
    fields?.line,
    message.split(": ")[1],
  ]);
  const [former, admins] = ["its former value stays", "what admins set applies"];
  expect(said).toEqual([
    ["tagline", 2, former],
    ["accent", 2, admins],
    ["other", 4, admins],
    ["home", 5, admins],
    ["JSON Parse error", 2, former],
    ['expected an object, such as {"name"', undefined, former],
  ]);
  rmSync(folder, { recursive: true });
  expect(readSiteFile(null, { kept, log })).toEqual({});
  const operator = await startSettings(host.db, undefined, null, undefined, { name: "Northwind" });
  expect(operator.service.current.site.name).toBe("Northwind");
  expect(await getSite(operator.ctx)).toMatchObject({
    name: "Northwind",
    locked: [{ path: "name", reason: settingsTexts.fixedByFile }],
  });
  const refused = updateSettings(operator.ctx, siteSettings, { name: "Other", tagline: "Fresh" });
  expect(await refused.catch(({ errors }) => errors)).toEqual([
    { path: "name", message: settingsTexts.fixedByFile },
  ]);
  await updateSettings(operator.ctx, siteSettings, { name: "Northwind", tagline: "Fresh" });
  expect(operator.service.current.site).toMatchObject({ name: "Northwind", tagline: "Fresh" });
  // The file's name is not kept for a start without it.
  const { data } = await (await admin.call("GET", path)).json();
  expect([data.name, data.tagline]).toEqual([defaults.name, "Fresh"]);
  operator.stop();
});

test("a mistake in SITE_FILE hides nothing that admins set, in a new data folder or at a later start", async () => {
  await admin.call("PUT", path, { name: "Northwind" });
  const folder = mkdtempSync(join(tmpdir(), "atrium-site-file-"));
  const file = join(folder, "site.json");
  const start = async (text: string) => {
    writeFileSync(file, text);
    const cache = createSiteCache(join(folder, "cache/site.json"));
    const fixed = readSiteFile(file, { kept: cache.kept.fixedSite, log: createRecordingLog() });
    const operator = await startSettings(host.db, undefined, null, cache, fixed);
    const { name, locked } = await getSite(operator.ctx);
    operator.stop();
    return [name, locked.map(({ path: field }) => field)];
  };
  const wrong = ['{"name":""}', "{", "[]"];
  for (const text of [...wrong, ...wrong, "{}"])
    expect([text, await start(text)]).toEqual([text, ["Northwind", []]]);
  expect(await start('{"name":"Filed"}')).toEqual(["Filed", ["name"]]);
  // Twice: what was kept is kept again.
  for (const text of [...wrong, ...wrong])
    expect([text, await start(text)]).toEqual([text, ["Filed", ["name"]]]);
  expect(await start("{}")).toEqual(["Northwind", []]);
  expect(await start(wrong[0] ?? "")).toEqual(["Northwind", []]);
  rmSync(folder, { recursive: true });
});
