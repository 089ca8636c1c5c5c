import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import { until } from "#api/testing/until.ts";
import { median } from "../bench/measure/interleave.ts";
import { createPerson } from "../driver/person.ts";
import { removeFolder, startServer } from "../driver/start-server.ts";

let sink: SmtpSink;
let env: Record<string, string>;
beforeAll(async () => {
  sink = await startSmtpSink();
  env = { SMTP_URL: sink.url, MAIL_FROM: "Atrium <atrium@example.test>" };
});
afterAll(() => sink.down());

test("X8: no registration waits for a mail server that is silent, and the email arrives once it answers", async () => {
  const server = await startServer({ env });
  const timesOf = async (kind: string): Promise<number[]> => {
    const times: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      const begun = performance.now();
      const body = {
        name: "Ada",
        email: `${kind}-${n}@example.test`,
        password: "a rather fine long password",
      };
      expect((await createPerson(server.url).call("POST", "/api/auth/register", body)).status).toBe(201);
      times.push(performance.now() - begun);
    }
    return times;
  };
  // The very first warm the statements up.
  await timesOf("early");
  const working = await timesOf("working");
  sink.behave({ onText: () => "hang" });
  const silenced = await timesOf("silent");
  expect(median(silenced)).toBeLessThan(2 * median(working));
  expect(Math.max(...silenced)).toBeLessThan(5 * Math.max(...working));
  await server.stop();
  sink.behave({});
  const next = await startServer({ dataDir: server.dataDir, env });
  const reached = () => new Set(sink.mails.flatMap(({ recipients }) => recipients));
  await until(() => [...reached()].filter((address) => address.startsWith("silent-")).length === 10, 100_000);
  await next.stop();
  removeFolder(server.dataDir);
}, 240_000);
