import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { until } from "#api/testing/until.ts";
import { signedInPeople } from "../driver/people.ts";
import { asOperator } from "../driver/plugin-caller.ts";
import { openConnection, type RawAnswer, rawRequest } from "../driver/raw-request.ts";
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

const cutWithinMs = 15_000;
const announced = "Content-Length: 1000\r\n\r\n{";
const inChunks = "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n";

type LargeFile = { path: string; cookie: string; sizeBytes: number };

/** A file of 15 MB that an admin may load: a package full of noise. */
const largeFile = async (): Promise<LargeFile> => {
  const { admin } = await signedInPeople(server);
  const noise = () => randomBytes(3_000_000).toString("base64");
  const files = Object.fromEntries([1, 2, 3, 4, 5].map((part) => [`assets/noise-${part}.txt`, noise()]));
  const zip = await packPlugin({ name: "large", files });
  expect(await asOperator(server.dataDir).upload(zip)).toMatchObject({ status: 201 });
  return { path: "/api/plugins/large/download", cookie: admin, sizeBytes: zip.length };
};

describe("H1: slow clients delay no one", () => {
  const dripping = {
    of: {
      *[Symbol.iterator]() {
        for (;;) yield " ";
      },
    },
    everyMs: 500,
  };
  const whole = { withinMs: 20_000 };

  const expectTimeout = (answer: RawAnswer): void => {
    expect([answer.status, answer.headers.get("connection")]).toEqual([408, "close"]);
    expect(answer.ms).toBeLessThan(cutWithinMs);
    const envelope = JSON.parse(answer.body);
    expect(envelope).toMatchObject({ success: false, code: "REQUEST_TIMEOUT" });
    expect(envelope.requestId).toBe(answer.headers.get("x-request-id"));
  };

  /** Asks for a file that is larger than what the system buffers, and once it begins to come reads on only after a while; whether all of it comes. */
  const readsAfter = async (file: LargeFile, pauseMs: number): Promise<boolean> => {
    const socket = await openConnection(server.url);
    let received = 0;
    socket.on("error", () => {});
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.on("data", ({ length }) => {
      received += length;
    });
    const begun = new Promise<void>((resolve) => {
      socket.once("data", () => {
        socket.pause();
        resolve();
      });
    });
    socket.write(
      get.replace("/api/health", file.path).replace("\r\n\r\n", `\r\nCookie: ${file.cookie}\r\n\r\n`),
    );
    await begun;
    await Bun.sleep(pauseMs);
    const whole = until(() => received > file.sizeBytes);
    socket.resume();
    await Promise.race([ended, whole]);
    socket.destroy();
    whole.catch(() => {});
    return received > file.sizeBytes;
  };

  test("what drips in or is not read is cut within 15 seconds: bodies, announced or in chunks, fed or not, heads, and answers", async () => {
    const heads = ["GET /", "GET / HTTP/1.1\r\nX-A: "];
    const file = await largeFile();
    const [bodies, lines, ...isRead] = await Promise.all([
      Promise.all([
        rawRequest(server.url, begin + announced, { ...whole, pieces: dripping }),
        rawRequest(server.url, begin + announced, whole),
        rawRequest(server.url, begin + inChunks, whole),
      ]),
      Promise.all(heads.map((head) => rawRequest(server.url, head, { ...whole, pieces: dripping }))),
      readsAfter(file, 1_000),
      readsAfter(file, cutWithinMs + 5_000),
    ]);
    for (const answer of bodies) expectTimeout(answer);
    for (const answer of lines) {
      expect(answer.isClosed).toBe(true);
      expect(answer.ms).toBeLessThan(cutWithinMs);
    }
    expect(isRead).toEqual([true, false]);
  }, 60_000);

  test("beside 1,000 connections that never finish asking, health answers within 200 ms", async () => {
    const open = await Promise.all(Array.from({ length: 1_000 }, () => openConnection(server.url)));
    open.forEach((socket, at) => {
      socket.on("error", () => {});
      socket.write(at % 2 ? "GET /api/hea" : begin + announced);
    });
    const times: number[] = [];
    for (let asked = 0; asked < 100; asked += 1) {
      const { status, ms } = await rawRequest(server.url, get);
      expect(status).toBe(200);
      times.push(ms);
    }
    for (const socket of open) socket.destroy();
    expect(times.sort((a, b) => a - b)[98]).toBeLessThan(200);
  });
});
