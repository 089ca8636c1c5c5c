import { describe, expect, test } from "bun:test";
import { checkEndpoint, isNearby } from "./s3-transport.ts";

const listed = [
  "https://minio.example.test:9000",
  "http://127.0.0.1:9000",
  "http://[::1]:9000",
  "http://2130706433",
  "http://0x7f000001:9000",
  "http://127.1:9000",
  "gopher://storage.example.test",
  "https://user:word@storage.example.test",
];
const r2 = `https://${"0123456789abcdef".repeat(2)}`;

describe("an endpoint of object storage", () => {
  test.each([
    `${r2}.r2.cloudflarestorage.com`,
    `${r2}.eu.r2.cloudflarestorage.com`,
    "https://minio.example.test:9000",
    "http://127.0.0.1:9000",
    "http://[::1]:9000",
  ])("%s may be used", (endpoint) => {
    expect(checkEndpoint(endpoint, listed).href).toStartWith(endpoint);
  });

  test.each([
    "",
    "nonsense",
    "http://169.254.169.254",
    "https://169.254.169.254/latest/meta-data",
    "https://2852039166",
    "https://0xa9fea9fe",
    "https://[::ffff:169.254.169.254]",
    "https://[64:ff9b::a9fe:a9fe]",
    "https://[fd00:ec2::254]",
    "https://metadata.google.internal.",
    "http://0.0.0.0:9000",
    "http://localhost:9000",
    "http://127.0.0.1:22",
    "http://127.0.0.1:9000/",
    "http://127.0.0.1:9000/path",
    "http://127.0.0.1:9000?x=1",
    "http://127.0.0.1:9000#x",
    "http://127.0.0.1:9000\r\nx: y",
    "http://user@127.0.0.1:9000",
    `${r2}.r2.cloudflarestorage.com.evil.example`,
    `${r2}.r2.cloudflarestorage.com:8443`,
    `${r2}.r2.cloudflarestorage.com/bucket`,
    `${r2.replace("https", "http")}.r2.cloudflarestorage.com`,
    `https://x@${"a".repeat(32)}.r2.cloudflarestorage.com`,
    "https://minio.example.test:9001",
    // Listed, but written so that other programs read another address, or not over HTTP.
    "http://2130706433",
    "http://0x7f000001:9000",
    "http://127.1:9000",
    "gopher://storage.example.test",
    "https://user:word@storage.example.test",
  ])("S3: %j is refused", (endpoint) => {
    expect(() => checkEndpoint(endpoint, listed)).toThrow("Connections to this address are not allowed");
  });
});

test("words travel in the open only to addresses nearby", () => {
  const near = [
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "10.1.2.3",
    "192.168.0.1",
    "172.16.0.1",
    "172.31.9.9",
    "fd12::1",
  ];
  const far = [
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "192.169.0.1",
    "2606:4700::1",
    "1.127.0.1",
    "100.64.0.1",
  ];
  expect(near.filter(isNearby)).toEqual(near);
  expect(far.filter(isNearby)).toEqual([]);
});
