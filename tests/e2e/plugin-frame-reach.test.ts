import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSocket, type Socket } from "node:dgram";
import type { Page } from "playwright-core";
import { installPlugin, notesBackend } from "./installed-plugin.ts";
import { openLive } from "./live.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
let listener: Socket;
let packets = 0;

const name = "far-reaching";

/** Asks a machine for this one's address over UDP, as calls between browsers begin; the port is filled in. */
const askAround = `
const askAround = async (Connection) => {
  const peer = new Connection({ iceServers: [{ urls: "stun:127.0.0.1:PORT" }] });
  peer.createDataChannel("notes");
  const gathered = new Promise((resolve) => {
    peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && resolve();
    setTimeout(resolve, 2_000);
  });
  await peer.setLocalDescription(await peer.createOffer());
  await gathered;
};`;

const frontend = `${askAround}
const attempt = async (work) => { try { return await work(); } catch (error) { return error.name; } };
const within = (srcdoc) => new Promise((resolve) => {
  const frame = document.createElement("iframe");
  if (srcdoc !== undefined) frame.srcdoc = srcdoc;
  frame.addEventListener("load", () => resolve(frame.contentWindow));
  document.body.append(frame);
});
const script = (text) => Object.assign(document.createElement("script"), text);
export default {
  name: "${name}", version: "1.0.0",
  async mount(root, api) {
    const say = (text) => Object.assign(root.appendChild(document.createElement("p")), { textContent: text });
    const doors = Object.getOwnPropertyNames(window).filter((key) => /RTC|WebTransport/.test(key));
    say("doors " + JSON.stringify(doors));
    const ways = {
      itself: () => askAround(window.RTCPeerConnection ?? window.webkitRTCPeerConnection),
      child: async () => askAround((await within()).RTCPeerConnection),
      page: () => within("<script>" + ASK + "</" + "script>"),
      file: () => within("<script src='" + new URL("child.js", import.meta.url) + "'></" + "script>"),
      module: () => within("<script type=module src='" + new URL("child.js", import.meta.url) + "'></" + "script>"),
      address: () => within("<iframe src='javascript:" + encodeURIComponent(ASK) + "'></iframe>"),
      worker: () => new Worker(new URL("child.js", import.meta.url)),
    };
    api.on("path", async (path) => {
      const way = path.slice(1);
      say(way + " " + (await attempt(ways[way]) === undefined ? "went through" : "ended"));
    });
    say("ready");
  },
};`;

beforeAll(async () => {
  stage = await openStage();
  listener = createSocket("udp4").on("message", () => {
    packets += 1;
  });
  await new Promise<void>((resolve) => listener.bind(0, "127.0.0.1", resolve));
  const withPort = (code: string) => code.replaceAll("PORT", String(listener.address().port));
  const child = withPort(`${askAround}\naskAround(window.RTCPeerConnection);`);
  const { page, context } = await stage.open("admin");
  await openLive(page, `${stage.url}/admin/plugins`);
  await installPlugin(page, {
    name,
    manifest: {
      frontend: { entry: "frontend/index.js", mode: "iframe" },
      permissions: ["routes", "ui.page"],
    },
    backend: notesBackend(name),
    files: {
      "frontend/index.js": withPort(frontend).replaceAll("ASK", JSON.stringify(child)),
      "frontend/child.js": child,
    },
  });
  await context.close();
}, 90_000);

afterAll(async () => {
  listener.close();
  await stage.close();
});

/** Lets the page in the frame try one way, and waits as long as a packet takes that finds one. */
const tryWay = async (page: Page, way: string) => {
  await page.evaluate((path) => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/admin/plugins/${name}/${way}`);
  await page.waitForTimeout(2_000);
};
const doorsIn = (page: Page) => page.frameLocator("iframe").getByText("doors");

describe("P9: a plugin's page that nobody has to trust", () => {
  test("is kept from what would otherwise reach other machines", async () => {
    const { page, context } = await stage.open("visitor");
    await page.goto(stage.url);
    const before = packets;
    await page.evaluate(`${askAround.replace("PORT", String(listener.address().port))}; askAround(RTCPeerConnection)`);
    expect(packets).toBeGreaterThan(before);
    await context.close();
  });

  for (const knows of [true, false])
    test(`reaches no other machine over UDP, in browsers that ${knows ? "know" : "do not know"} lists of allowed connections`, async () => {
      const { page, context } = await stage.open("admin");
      page.on("console", (m) => console.log(m.text()));
      if (!knows)
        await page.route(`**/api/plugins/${name}/frame`, async (route) => {
          const response = await route.fetch();
          const { "connection-allowlist": _, ...headers } = response.headers();
          await route.fulfill({ response, headers });
        });
      const before = packets;
      const reached: string[] = [];
      for (const way of ["itself", "child", "page", "file", "module", "address", "worker"]) {
        await openLive(page, `${stage.url}/admin/plugins/${name}`);
        await doorsIn(page).waitFor({timeout:6000});
        expect(await doorsIn(page).innerText()).toBe("doors []");
        const soFar = packets;
        await tryWay(page, way);
        if (packets > soFar) reached.push(way);
      }
      expect([reached, packets - before]).toEqual([[], 0]);
      await context.close();
    }, 60_000);
});
