import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { scopeCss } from "#api/plugin-host/assets/scope-css.ts";
import { buildFolder } from "#api/plugin-host/author/build-folder.ts";
import type { View, WatchedPage } from "../driver/browser.ts";
import { openLive } from "./live.ts";
import * as data from "./shots/firewall-answers.ts";
import { pendingDetails, plugin } from "./shots/many-plugins.ts";
import type { Stage } from "./stage.ts";

/** What is answered to calls of the firewall's routes, by method and path; each gets what was sent. */
export type FirewallAnswers = Record<string, (sent: { query: URLSearchParams; body: unknown }) => object>;

/** A refusal, among the answers. */
export const refused = (status: number, code: string, message: string, more: object = {}) => ({
  refusal: { status, json: { success: false, code, message, requestId: "r", ...more } },
});

const folder = join(import.meta.dir, "../../src/plugins/firewall");
const assets = "/api/plugins/firewall/assets/1.0.0/frontend";

let built: Promise<Map<string, Uint8Array>> | undefined;
const file = async (name: string): Promise<string> => {
  built ??= buildFolder(folder);
  return new TextDecoder().decode((await built).get(`frontend/${name}`));
};

/** The firewall's page with a server behind it that answers from a script: `calls` has what was asked so far. */
export const tellFirewall = async (
  page: Page,
  answers: FirewallAnswers = {},
): Promise<{ calls: string[] }> => {
  const firewall = plugin({
    ...{ name: "firewall", title: "Firewall", type: "Security", version: "1.0.0", tier: "bundled" },
    ...{ enabled: true, state: "running", dependsOn: ["licensing"] },
    frontend: { mode: "native", script: `${assets}/index.js`, css: `${assets}/index.css`, overlay: false },
  });
  const details = { ...pendingDetails(firewall), pendingPermissions: [] };
  const answer = (json: object) => (route: Route) => route.fulfill({ json: { success: true, data: json } });
  await page.route(/\/api\/plugins$/, answer([firewall]));
  await page.route("**/api/plugins/firewall", answer(details));
  await page.route(`**${assets}/index.js`, async (route) =>
    route.fulfill({ contentType: "text/javascript", body: await file("index.js") }),
  );
  await page.route(`**${assets}/index.css`, async (route) =>
    route.fulfill({ contentType: "text/css", body: scopeCss(await file("index.css"), "firewall") }),
  );
  const calls: string[] = [];
  const serve: FirewallAnswers = { ...usual, ...answers };
  await page.route(/\/api\/firewall\//, async (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    const call = `${request.method()} ${pathname.slice("/api/firewall".length)}`;
    calls.push(call);
    const given = serve[call] ?? serve[call.replace(/\/[^/]+$/, "/*")];
    const found = given?.({ query: searchParams, body: request.postDataJSON() });
    if (found === undefined)
      return route.fulfill({ status: 404, json: { success: false, code: "NOT_FOUND" } });
    if ("refusal" in found) return route.fulfill(Object(found.refusal));
    return route.fulfill({ json: { success: true, message: "", data: found } });
  });
  return { calls };
};

/** Opens a sub-page of the firewall as an admin, with {@link tellFirewall} behind it. */
export const openFirewall = async (
  stage: Stage,
  { path = "", answers = {}, view = {} }: { path?: string; answers?: FirewallAnswers; view?: Partial<View> },
): Promise<WatchedPage & { calls: string[] }> => {
  const visit = await stage.open("admin", view);
  const told = await tellFirewall(visit.page, answers);
  await openLive(visit.page, `${stage.url}/admin/firewall${path}`);
  await visit.page.getByRole("navigation", { name: "Firewall pages" }).waitFor();
  return { ...visit, ...told };
};

const page = <T>(rows: T[]) => ({ pagination: { total: rows.length, limit: 50, offset: 0 }, revision: 12 });

const usual: FirewallAnswers = {
  "GET /config": () => data.config(),
  "GET /status": () => data.status(),
  "GET /traffic/minutes": ({ query }) => data.minutes(Number(query.get("hours"))),
  "GET /journal": ({ query }) => ({ entries: data.journal.slice(0, Number(query.get("limit"))), next: null }),
  "GET /explain/*": () => data.explanation,
  "GET /traffic": ({ query }) => ({
    rows: query.has("after") ? [] : data.traffic,
    ...{ cursor: "a:59", last: 59, replica: "a", missed: 0, isWatching: true },
  }),
  "GET /addresses": () => ({ entries: data.addresses, ...page(data.addresses) }),
  "GET /countries": () => ({
    ...{ mode: "deny", codes: ["FR", "KP"], knowsCountries: true, notice: "", ownCountry: "NZ", hits: 402 },
    revision: 12,
  }),
  "GET /rates": () => ({ rules: data.rates, isCounting: true, most: 100, revision: 12 }),
  "GET /patterns": () => ({ patterns: data.patterns, revision: 12 }),
  "GET /history": () => ({ changes: data.history, revision: 12 }),
  "GET /proposals": () => ({ proposals: [], revision: 12 }),
  "GET /exemptions": () => ({ exemptions: data.exemptions, most: 200, revision: 12 }),
  "GET /bans": () => ({ bans: data.bans, ...page(data.bans) }),
  "POST /replay": () => data.replay({ state: "running", looked: 8_400, rows: [] }),
  "GET /replay/*": () => data.replay(),
};
