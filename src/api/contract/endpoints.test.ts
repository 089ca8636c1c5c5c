import { describe, expect, test } from "bun:test";
import { hasForeignPort, keepsSecrets, plainS3Endpoint, serverOf, splitRedisEndpoint } from "./endpoints.ts";

describe("a Redis endpoint", () => {
  test.each([
    ["redis://localhost", "redis://localhost", null],
    [" redis://Redis.Example:6379/0 ", "redis://redis.example:6379/0", null],
    ["rediss://default:s3cret@Redis.example/", "rediss://default@redis.example", "s3cret"],
    ["redis://:a%40b%2Fc@10.0.0.1:06379", "redis://10.0.0.1:6379", "a@b/c"],
    ["redis://user:a:b@[::1]:7000/3", "redis://user@[::1]:7000/3", "a:b"],
    ["redis://user:@redis.example", "redis://user@redis.example", null],
    ["redis://User@redis.example", "redis://User@redis.example", null],
  ])("%j is kept as %j, with %j as its password", (text, endpoint, password) => {
    expect(splitRedisEndpoint(text)).toEqual({ endpoint, password });
    // What is kept is kept the same when it is sent again.
    expect(splitRedisEndpoint(endpoint)).toEqual({ endpoint, password: null });
  });

  test.each(["", "localhost", "http://localhost", "redis://:100%@localhost", "redis://u%zz:a@localhost"])(
    "is not %j",
    (text) => expect(splitRedisEndpoint(text)).toBeNull(),
  );
});

test("an S3 endpoint is kept in small letters and without a slash at its end", () => {
  expect(plainS3Endpoint(" HTTPS://ABC.R2.cloudflarestorage.com/ ")).toBe(
    "https://abc.r2.cloudflarestorage.com",
  );
  expect(plainS3Endpoint("http://127.0.0.1:9000")).toBe("http://127.0.0.1:9000");
});

test.each([
  ["", ""],
  ["redis://redis.example", "redis://redis.example:6379"],
  ["rediss://user@Redis.example/2", "rediss://redis.example:6379"],
  ["redis://[::1]:7000/3", "redis://[::1]:7000"],
  ["https://s3.example", "https://s3.example:443"],
  ["http://127.0.0.1:9000", "http://127.0.0.1:9000"],
])("behind %j is the server %j", (endpoint, server) => expect(serverOf(endpoint)).toBe(server));

describe("S3: a port that belongs to another kind of service", () => {
  const ports = [1, 7, 22, 25, 53, 110, 143, 465, 587, 993, 1023, 2049, 4190, 5060, 6000, 6667, 10_080];

  test.each(["redis", "rediss", "http", "https"])("is none of %s", (scheme) => {
    for (const port of ports)
      expect([port, hasForeignPort(`${scheme}://user@host.example:${port}/1`)]).toEqual([port, true]);
    for (const port of [443, 1024, 6379, 6380, 9000, 65_535])
      expect([port, hasForeignPort(`${scheme}://[::1]:${port}`)]).toEqual([port, false]);
    expect(hasForeignPort(`${scheme}://host.example`)).toBe(false);
  });

  test("80 is a port of object storage alone", () => {
    expect(hasForeignPort("http://s3.example:80")).toBe(false);
    expect(hasForeignPort("redis://redis.example:80")).toBe(true);
  });
});

describe("S2: secrets follow an endpoint", () => {
  test.each([
    ["redis://redis.example", "redis://redis.example:6379/4"],
    ["redis://redis.example", "redis://other-user@redis.example"],
    ["redis://redis.example", "rediss://redis.example"],
    ["https://s3.example", "https://s3.example:443"],
  ])("from %j to %j", (from, to) => expect(keepsSecrets(from, to)).toBe(true));

  test.each([
    ["redis://redis.example", "redis://evil.example"],
    ["redis://redis.example", "redis://redis.example:6380"],
    ["redis://redis.example", "redis://redis.example.evil.example"],
    ["redis://redis.example", "redis://redis.example@evil.example"],
    ["rediss://redis.example", "redis://redis.example"],
    ["https://s3.example", "http://s3.example"],
    ["https://s3.example", ""],
    ["", "redis://redis.example"],
    ["", "https://s3.example"],
  ])("but never from %j to %j", (from, to) => expect(keepsSecrets(from, to)).toBe(false));
});
