import { afterAll, describe, expect, test } from "bun:test";
import { inOrder } from "#api/testing/in-order.ts";
import { startSmtpSink } from "#api/testing/smtp-sink.ts";
import { serverForFile } from "../driver/for-file.ts";
import { rawRequest } from "../driver/raw-request.ts";

const appUrl = "https://atrium.example";
const sink = await startSmtpSink();
const server = await serverForFile({ env: { SMTP_URL: sink.url, APP_URL: appUrl } });
afterAll(() => sink.down());

const register = (email: string, target: string, headers: string[]) => {
  const body = JSON.stringify({ name: "Ada Example", email, password: "a rather fine long password" });
  const head = [
    `POST ${target} HTTP/1.1`,
    ...headers,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  return rawRequest(server.url, `${head.join("\r\n")}\r\n\r\n${body}`);
};

const path = "/api/auth/register";
const ours = "Host: atrium.example";

describe("T3: where a request says that it goes", () => {
  // The last one counts who was emailed.
  const step = inOrder();
  const refused: [title: string, target: string, headers: string[]][] = [
    ["another host", path, ["Host: evil.example"]],
    ["another host with a path", path, ["Host: evil.example/x?"]],
    ["ours as the user of another", path, ["Host: atrium.example:443@evil.example"]],
    ["another as the user of ours", path, ["Host: evil.example@atrium.example"]],
    ["a name that ends like ours", path, ["Host: evil-atrium.example"]],
    ["a name below ours", path, ["Host: x.atrium.example"]],
    ["ours, then another", path, [ours, "Host: evil.example"]],
    ["another, then ours", path, ["Host: evil.example", ours]],
    ["two in one", path, ["Host: atrium.example, evil.example"]],
    ["another behind our own address", `${appUrl}${path}`, ["Host: evil.example"]],
    ["none", path, []],
  ];
  for (const [title, target, headers] of refused)
    step(`is refused, and no email is sent: ${title}`, async () => {
      const answer = await register(`refused.${crypto.randomUUID()}@example.test`, target, headers);
      expect([400, 421]).toContain(answer.status ?? 0);
    });

  const taken: [title: string, target: string, headers: string[]][] = [
    ["X-Forwarded-Host", path, [ours, "X-Forwarded-Host: evil.example"]],
    ["X-Forwarded-Proto and -Port", path, [ours, "X-Forwarded-Proto: http", "X-Forwarded-Port: 81"]],
    ["Forwarded", path, [ours, 'Forwarded: for=10.0.0.1;host="evil.example";proto=http']],
    [
      "X-Host, X-Original-Host and X-Forwarded-Server",
      path,
      [ours, "X-Host: evil.example", "X-Original-Host: evil.example", "X-Forwarded-Server: evil.example"],
    ],
    [
      "X-Original-URL and X-Rewrite-URL",
      path,
      [ours, "X-Original-URL: http://evil.example/", "X-Rewrite-URL: /evil"],
    ],
    ["X-Forwarded-Prefix", path, [ours, "X-Forwarded-Prefix: //evil.example"]],
    ["an address of another in the target", `http://evil.example${path}`, [ours]],
    ["loopback's name, which is always served", path, ["Host: localhost"]],
    ["our name with another port", path, ["Host: atrium.example:8443"]],
  ];
  for (const [title, target, headers] of taken)
    step(`is not used in emailed links: ${title}`, async () => {
      const email = `taken.${crypto.randomUUID()}@example.test`;
      const before = sink.mails.length;
      expect((await register(email, target, headers)).status).toBe(201);
      await sink.received(before + 1);
      const mail = sink.mails.find(({ recipients }) => recipients.includes(email));
      const links = `${mail?.text} ${mail?.html}`.match(/https?:\/\/[^\s"<>]+/g) ?? [];
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) expect(link).toStartWith(`${appUrl}/verify-email?token=`);
      expect(mail?.raw).not.toContain("evil");
    });

  step("emails went only to those who asked under the server's name", () => {
    const recipients = sink.mails.flatMap((mail) => mail.recipients);
    expect(recipients).toHaveLength(taken.length);
    expect(recipients.filter((email) => email.startsWith("refused"))).toEqual([]);
  });
});

describe("probes of balancers, which know a process by its address alone", () => {
  const heads: [title: string, version: string, headers: string[]][] = [
    ["HAProxy's, as it is set up without a name", "HTTP/1.0", []],
    ["an empty name", "HTTP/1.1", ["Host:"]],
    ["no name that there can be", "HTTP/1.1", ["Host: a b"]],
    ["another name", "HTTP/1.1", ["Host: evil.example"]],
  ];
  const ask = (path: string, version: string, headers: string[]) =>
    rawRequest(
      server.url,
      `${[`GET ${path} ${version}`, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`,
    );

  test.each(heads)("are answered, and nothing else is: %s", async (_title, version, headers) => {
    for (const probe of ["/api/health", "/api/ready"])
      expect([probe, (await ask(probe, version, headers)).status]).toEqual([probe, 200]);
    for (const path of ["/", "/api/auth/user", "/x?u=http://localhost/api/ready", "//localhost/api/ready"])
      expect([path, (await ask(path, version, headers)).status]).toEqual([path, 421]);
  });
});
