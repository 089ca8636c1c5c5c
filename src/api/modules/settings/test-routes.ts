import { Elysia } from "elysia";
import type { Door } from "#api/door/door.ts";
import { failures, testAnswer } from "#api/modules/fields.ts";
import { testBucketBody, testRedisBody } from "./model.ts";
import { testBucket } from "./test-bucket.ts";
import { testRateLimit } from "./test-rate-limit.ts";
import { testRedis } from "./test-redis.ts";

const tags = ["Settings"];
const description =
  "A test that did not work answers `TEST_FAILED`, with the same `testResult` in `data`. What is left out is taken from " +
  "what is stored; stored secrets are sent to their own server alone. Each admin has one test at a time. API tokens are not told why a " +
  "connection failed.";
const testing = failures(
  "NOT_SIGNED_IN",
  "FORBIDDEN",
  "CROSS_ORIGIN",
  "CONFLICT",
  "TEST_FAILED",
  "STORAGE_FULL",
  "DB_UNAVAILABLE",
);
const bodies = failures("BAD_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED");

/** The calls by which admins try external services. */
export const settingsTestRoutes = (door: Door) =>
  new Elysia({ prefix: "/api/auth/settings" })
    .use(door)
    .post("/test-redis", ({ ctx, body }) => testRedis(ctx, body), {
      access: "admin",
      scope: "settings:security",
      body: testRedisBody,
      response: { 200: testAnswer, ...testing, ...bodies },
      detail: { summary: "Test the connection to Redis", description, tags },
    })
    .post("/test-r2", ({ ctx, body }) => testBucket(ctx, body), {
      access: "admin",
      scope: "settings:security",
      body: testBucketBody,
      response: { 200: testAnswer, ...testing, ...bodies },
      detail: { summary: "Test the connection to the object storage", description, tags },
    })
    .post("/test-rate-limit", ({ ctx }) => testRateLimit(ctx), {
      access: "admin",
      scope: "settings",
      response: { 200: testAnswer, ...testing },
      detail: { summary: "Test the limit on requests", description, tags },
    });
