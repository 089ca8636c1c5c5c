import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openConnection, rawRequest } from "../driver/raw-request.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

let server: ServerProcess;
let get: string;
let begin: string;
beforeAll(async () => {
  server = await startServer();
  const own = `Host: localhost:${new URL(server.url).port}`;
  get = `GET /api/health HTTP/1.1\r\n${own}\r\n\r\n`;
  begin = `POST /api/auth/login HTTP/1.1\r\n${own}\r\nContent-Type: application/json\r\n`;
}, 60_000);
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  removeFolder(server.dataDir);
});

const announced = "Content-Length: 1000\r\n\r\n{";
const inChunks = "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n";

describe("H1: who is slow holds up nobody", () => {
  const dripping = {
    of: {
      *[Symbol.iterator]() {
        for (;;) yield " ";
      },
    },
    everyMs: 500,
  };
  const whole = { withinMs: 20_000 };

  test("a body that drips in is cut within 15 seconds, announced or in chunks, fed or not", async () => {
    const answers = await Promise.all([
      rawRequest(server.url, begin + announced, { ...whole, pieces: dripping }),
      rawRequest(server.url, begin + announced, whole),
      rawRequest(server.url, begin + inChunks, whole),
    ]);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get("connection")]).toEqual([408, "close"]);
      expect(answer.ms).toBeLessThan(15_000);
      const envelope = JSON.parse(answer.body);
      expect(envelope).toMatchObject({ success: false, code: "REQUEST_TIMEOUT" });
      expect(envelope.requestId).toBe(answer.headers.get("x-request-id"));
    }
  }, 30_000);

  test("a head that drips in is cut within 15 seconds", async () => {
    const answers = await Promise.all(
      ["GET /", "GET / HTTP/1.1\r\nX-A: "].map((head) =>
        rawRequest(server.url, head, { ...whole, pieces: dripping }),
      ),
    );
    for (const answer of answers) {
      expect(answer.isClosed).toBe(true);
      expect(answer.ms).toBeLessThan(15_000);
    }
  }, 30_000);

  test("beside 100 connections that never finish asking, health answers within 200 ms", async () => {
    const open = await Promise.all(Array.from({ length: 100 }, () => openConnection(server.url)));
    open.forEach((socket, at) => {
      socket.on("error", () => {});
      socket.write(at % 2 ? "GET /api/hea" : begin + announced);
    });
    const times: number[] = [];
    for (let asked = 0; asked < 30; asked += 1) {
      const { status, ms } = await rawRequest(server.url, get);
      expect(status).toBe(200);
      times.push(ms);
    }
    for (const socket of open) socket.destroy();
    // The slowest tenth belongs to whatever else this machine does.
    expect(times.sort((a, b) => a - b)[26]).toBeLessThan(200);
  });
});
