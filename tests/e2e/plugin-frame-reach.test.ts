import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createSocket, type Socket } from "node:dgram";
import { until } from "#api/testing/until.ts";
import { launchBrowser, openPage } from "../driver/browser.ts";
import { installPlugin, notesBackend } from "./installed-plugin.ts";
import { noteLive, openLive } from "./live.ts";
import { stageForFile } from "./stage.ts";

/** How a page may come by what sends packets; each way has a listener of its own. */
const ways = ["itself", "child", "page", "file", "module", "address", "worker"] as const;

const stage = await stageForFile();
const reached = new Set<string>();
const listeners: Socket[] = [];
const ports: Record<string, number> = {};
const name = "far-reaching";

/** Asks a machine over UDP for one's own address, as calls between browsers begin. */
const askAround = `
const askAround = async (Connection, port) => {
  const peer = new Connection({ iceServers: [{ urls: "stun:127.0.0.1:" + port }] });
  peer.createDataChannel("notes");
  await peer.setLocalDescription(await peer.createOffer());
};`;
const askFor = (way: string) => `${askAround}\naskAround(self.RTCPeerConnection, ${ports[way]});`;

const frontend = () => `${askAround}
const within = (srcdoc) => new Promise((resolve) => {
  const frame = document.createElement("iframe");
  if (srcdoc !== undefined) frame.srcdoc = srcdoc;
  frame.addEventListener("load", () => resolve(frame.contentWindow));
  document.body.append(frame);
});
const fileFor = (way) => new URL(way + ".js", import.meta.url);
const ways = {
  itself: () => askAround(window.RTCPeerConnection ?? window.webkitRTCPeerConnection, ${ports.itself}),
  child: async () => askAround((await within()).RTCPeerConnection, ${ports.child}),
  page: () => within("<script>" + ${JSON.stringify(askFor("page"))} + "</" + "script>"),
  file: () => within("<script src='" + fileFor("file") + "'></" + "script>"),
  module: () => within("<script type=module src='" + fileFor("module") + "'></" + "script>"),
  address: () => within("<iframe src='javascript:" + encodeURIComponent(${JSON.stringify(askFor("address"))}) + "'></iframe>"),
  worker: async () => new Worker(fileFor("worker")),
};
export default {
  name: "${name}", version: "1.0.0",
  async mount(root) {
    const doors = Object.getOwnPropertyNames(window).filter((key) => /RTC|WebTransport/.test(key));
    for (const way of Object.values(ways)) way().catch(() => {});
    root.append("Reaches out, and has " + JSON.stringify(doors));
  },
};`;

beforeAll(async () => {
  for (const way of ways) {
    const listener = createSocket("udp4").on("message", () => reached.add(way));
    await new Promise<void>((resolve) => listener.bind(0, "127.0.0.1", resolve));
    listeners.push(listener);
    ports[way] = listener.address().port;
  }
  const { page, context } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  const files = ["file", "module", "worker"].map((way) => [`frontend/${way}.js`, askFor(way)]);
  await installPlugin(page, {
    name,
    manifest: {
      frontend: { entry: "frontend/index.js", mode: "iframe" },
      permissions: ["routes", "ui.page"],
    },
    backend: notesBackend(name),
    files: { "frontend/index.js": frontend(), ...Object.fromEntries(files) },
  });
  await context.close();
}, 90_000);

afterAll(async () => {
  for (const listener of listeners) listener.close();
});

// Packets of a page that may send them are there within a tenth of that.
const longEnoughMs = 2_000;

describe("P9: an untrusted plugin's page", () => {
  beforeEach(() => reached.clear());

  test("is kept from what other pages can do", async () => {
    const { page } = await stage.open("visitor");
    await page.goto(stage.url);
    await page.evaluate(askFor("itself"));
    await until(() => reached.has("itself"));
  });

  for (const [browsers, without] of [
    ["that know lists of allowed connections", []],
    ["that know no such lists", ["ConnectionAllowlists"]],
  ] as const)
    test(`reaches no other machine over UDP, in browsers ${browsers}`, async () => {
      const browser = await launchBrowser({ without });
      const visit = await openPage(browser, { width: 1280, theme: "light" });
      await stage.signIn(visit, "admin");
      await noteLive(visit.page);
      await openLive(visit.page, `${stage.url}/admin/plugins/${name}`);
      const frame = visit.page.frameLocator('iframe[title="Visitor notes"]');
      await frame.getByText("Reaches out, and has []").waitFor();
      await visit.page.waitForTimeout(longEnoughMs);
      expect([...reached]).toEqual([]);
      await browser.close();
    });
});
