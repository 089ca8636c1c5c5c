import { afterAll, describe, expect, test } from "bun:test";
import { openRawServer } from "#api/testing/tcp-sink.ts";
import { settingsTexts } from "#contract/settings.ts";
import type { Resolver } from "../outbound/check-address.ts";
import { testRedisConnection } from "./run-redis-checks.ts";

let connections = 0;
const { port, close } = await openRawServer((socket) => {
  connections += 1;
  socket.destroy();
});
afterAll(close);

/** A name server of an attacker: everything is at the given addresses. */
const names =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address }));

const refused = async (url: string, resolver: Resolver = names("127.0.0.1")) => {
  connections = 0;
  const report = await testRedisConnection({ url, password: "canary" }, { resolver });
  expect({ isWorking: report.isWorking, summary: report.summary, details: report.details }).toEqual({
    isWorking: false,
    summary: settingsTexts.addressRefused,
    details: "",
  });
  expect(report.steps[0]).toMatchObject({ status: "failed", message: settingsTexts.addressRefused });
  expect(report.steps.slice(1).every(({ status }) => status === "skipped")).toBe(true);
  expect(connections).toBe(0);
};

describe("S3: an address that must not be called is refused with one text, and nothing is sent", () => {
  test.each([
    // Link-local and metadata
    "169.254.169.254",
    "169.254.0.1",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "[fe80::1]",
    "[febf::1]",
    "[fd00:ec2::254]",
    "[fd00:0ec2:0:0:0:0:0:254]",
    "[fd00:ec2::23]",
    "[fd00:ec2:ffff::1]",
    "[FD00:EC2:0:1:2:3:4:5]",
    "[fd20:ce::254]",
    "[fd00:c1::a9fe:a9fe]",
    "[fd00:c1:0:0:0:0:169.254.169.254]",
    "[fd00:42::42]",
    "[fd00:a9fe:a9fe::1]",
    "[fd00:100::100:200]",
    "metadata.google.internal",
    "metadata.google.internal.",
    "METADATA.google.internal",
    "metadata.goog",
    "instance-data",
    // No one, everyone, and nowhere
    "0.0.0.0",
    "0.1.2.3",
    "[::]",
    "224.0.0.1",
    "239.255.255.250",
    "255.255.255.255",
    "240.0.0.1",
    "[ff02::1]",
    // Other ways of writing
    "2852039166",
    "0xa9fea9fe",
    "0xa9.0xfe.0xa9.0xfe",
    "0251.0376.0251.0376",
    "169.16689662",
    "169.254.43518",
    "127.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "017700000001",
    "0",
    "%31%32%37.0.0.1",
    "\uff11\uff12\uff17.0.0.1",
    "localhost\u3002",
    // IPv4 in the clothes of IPv6
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::169.254.169.254]",
    "[::ffff:0:169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::a9fe:a9fe]",
    "[2002:a9fe:a9fe::]",
    "[2001:0:a9fe:a9fe::]",
  ])("%s", (host) => refused(`redis://${host}:${port}`));

  test.each([
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "fd00:ec2::23",
    "fd00:c1::a9fe:a9fe",
    "fd00:42:0::42",
    "fe80::1%eth0",
    "0.0.0.0",
    "64:ff9b::a9fe:a9fe",
    "127.0.0.1 169.254.169.254",
    "nonsense",
  ])("a name behind which is %s", (addresses) =>
    refused(`redis://cache.example.test:${port}`, names(...addresses.split(" "))),
  );

  test("with TLS as well", () => refused(`rediss://cache.example.test:${port}`, names("169.254.169.254")));

  test("a name that is another address at the second look is dialled at the first one, which was judged", async () => {
    connections = 0;
    const asked: string[] = [];
    const rebinding: Resolver = async (name) => {
      asked.push(name);
      return [{ address: asked.length === 1 ? "127.0.0.1" : "169.254.169.254" }];
    };
    const report = await testRedisConnection(
      { url: `redis://rebind.example.test:${port}`, password: null },
      { resolver: rebinding },
    );
    expect(connections).toBe(1);
    expect(report.steps[0]?.status).toBe("passed");
    // Whatever is looked up again is judged again.
    expect(report.summary).toContain("closed the connection");
  });
});
