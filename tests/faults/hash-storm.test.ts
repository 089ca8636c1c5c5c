import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { serverForFile } from "../driver/for-file.ts";
import { createPerson } from "../driver/person.ts";
import { runCommand } from "../driver/run-command.ts";

const password = "a rather fine long password";

const server = await serverForFile();
const words = ["admin", "create", "--email", "ada@example.test", "--name", "Ada", "--password-stdin"];
await runCommand(words, { env: { DATA_DIR: server.dataDir }, input: `${password}\n` });
const admin = createPerson(server.url);
const answer = await admin.call("POST", "/api/auth/login", { email: "ada@example.test", password });
expect(answer.status).toBe(200);

const quantile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const timed = async <T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> => {
  const begun = performance.now();
  const value = await work();
  return { value, ms: performance.now() - begun };
};

const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;

describe("W4: a storm of sign-ins", () => {
  test("500 at the same time fill a bounded queue; the rest are refused immediately, and everyone else is served", async () => {
    const signIns = Array.from({ length: 500 }, (_, n) =>
      timed(() =>
        createPerson(server.url, `198.51.100.${n % 250}`).call("POST", "/api/auth/login", {
          email: `nobody-${n}@example.test`,
          password,
        }),
      ),
    );
    const others: number[] = [];
    let isStorm = true;
    const stormEnds = Promise.all(signIns).finally(() => {
      isStorm = false;
    });
    while (isStorm) {
      const { value, ms } = await timed(() => admin.call("GET", "/api/auth/user"));
      expect(value.status).toBe(200);
      others.push(ms);
      await Bun.sleep(5);
    }
    const answers = await stormEnds;
    const refused = answers.filter(({ value }) => value.status === 503);
    const hashed = answers.filter(({ value }) => value.status === 401);
    expect(hashed.length + refused.length).toBe(500);
    expect(hashed.length).toBeGreaterThan(10);
    expect(refused.length).toBeGreaterThan(300);
    for (const { value } of refused) {
      expect(value.body.code).toBe("BUSY");
      expect(value.headers.get("retry-after")).toBe("1");
    }
    console.log(
      `other calls: p50 ${quantile(others, 0.5).toFixed(1)} ms, p99 ${quantile(others, 0.99).toFixed(1)} ms`,
    );
    expect(quantile(others, 0.99)).toBeLessThan(150);
    expect(residentBytes(server.pid)).toBeLessThan(400 * 1024 * 1024);
  });

  test("right after the storm a sign-in works again", async () => {
    const answer = await createPerson(server.url).call("POST", "/api/auth/login", {
      email: "ada@example.test",
      password,
    });
    expect(answer.status).toBe(200);
  });

  test("a password that is too long is refused without a hash, in less than 20 ms", async () => {
    const times: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const { value, ms } = await timed(() =>
        admin.call("POST", "/api/auth/login", { email: "ada@example.test", password: "x".repeat(900_000) }),
      );
      expect(value.status).toBe(422);
      times.push(ms);
    }
    expect(quantile(times, 0.5)).toBeLessThan(20);
  });
});
