import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { listenForScrapes } from "./open-telemetry.ts";

const broken = { isBroken: false };
const metrics = {
  contentType: "text/plain; version=0.0.4",
  text: async () => {
    if (broken.isBroken) throw new Error("/secret/folder");
    return "up 1\n";
  },
};
let scrapes: ReturnType<typeof listenForScrapes>;
beforeAll(() => {
  scrapes = listenForScrapes({ host: "127.0.0.1", port: 0 }, metrics);
});
afterAll(() => scrapes.stop());

/** All that comes back for a request as it is written here. */
const exchange = (lines: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(new URL(scrapes.url).port), "127.0.0.1", () =>
      socket.end(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`),
    );
    socket.on("data", (chunk) => (answer += String(chunk)));
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });

test("figures are served at one path, for reading", async () => {
  expect(await (await fetch(scrapes.url)).text()).toBe("up 1\n");
  expect((await fetch(scrapes.url, { method: "POST" })).status).toBe(405);
  expect((await fetch(new URL("/", scrapes.url))).status).toBe(404);
});

test("T3: figures are served under an address, localhost and the configured name, and under no other", async () => {
  const asHost = (host: string) => exchange(["GET /metrics HTTP/1.1", host]);
  for (const host of ["10.0.0.7:9464", "localhost:9464", "[::1]:9464", "127.0.0.1", "LocalHost"])
    expect(await asHost(`Host: ${host}`)).toMatch(/^HTTP\/1\.1 200 /);
  for (const host of ["evil.example", "10.0.0.7.evil.example", "[::1", "localhost.evil.example:9464", ""])
    expect(await asHost(`Host: ${host}`)).toMatch(/^HTTP\/1\.1 4(?:21|00) /);
});

test("H2: whatever is asked for, and whatever breaks, no answer shows source, stack or folder", async () => {
  const hostile = [
    ["GET /%zz HTTP/1.1", "Host: x:99999"],
    ["GET / HTTP/1.1", "Host: [bad"],
    ["GET //x HTTP/1.1", "Host: a"],
  ];
  for (const lines of hostile) expect(await exchange(lines)).toMatch(/^HTTP\/1\.1 4\d\d /);
  broken.isBroken = true;
  const answer = await fetch(scrapes.url);
  expect([answer.status, await answer.text()]).toEqual([500, "Internal Server Error\n"]);
  broken.isBroken = false;
});
