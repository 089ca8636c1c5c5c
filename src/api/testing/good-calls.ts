import { operations } from "#api/operations.ts";
import { type OperationId, operationIds, placeInput } from "#contract/create-client.ts";
import type { GoodCall } from "./mutate-request.ts";

/** The password of these calls, which must turn up nowhere. */
export const canary = "canary-of-a-password";

/** The example of an operation as a call. */
export const goodCallOf = (id: OperationId): GoodCall => {
  const { example = {} } = operations.find((one) => one.id === id)?.operation ?? {};
  const secret = "password" in example ? { password: canary } : {};
  const { method, target, headers, body } = placeInput(id, { ...example, ...secret });
  const [path = "", query] = target.split("?");
  return {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers,
    ...(body && { body }),
  };
};

/** A good call of every route. A route without one fails the fuzzing. */
export const goodCalls: [GoodCall, ...GoodCall[]] = [
  { method: "GET", path: "/api/ready" },
  ...operationIds.map(goodCallOf),
  { method: "GET", path: "/api/metrics" },
  { method: "GET", path: "/api/auth/google", query: { returnTo: "/dashboard" } },
  {
    method: "GET",
    path: "/api/auth/google/callback",
    query: { state: "A".repeat(400), code: "A".repeat(40) },
  },
  { method: "GET", path: "/api/auth/github", query: { returnTo: "/dashboard" } },
  {
    method: "GET",
    path: "/api/auth/github/callback",
    query: { state: "A".repeat(400), error: "access_denied" },
  },
  { method: "GET", path: "/api/auth/logout" },
  {
    method: "GET",
    path: "/api/admin/activity/stream",
    query: { after: "0", severity: "high,critical", search: "role", startDate: "2026-01-31" },
  },
  {
    method: "PUT",
    path: "/api/auth/settings/credentials",
    body: {
      redis: { endpoint: "redis://default@redis.example:6379/1", password: canary },
      cloudflareR2: {
        ...{ bucket: "atrium-files", token: `token-${canary}`, accessKeyId: `access-${canary}` },
        ...{ secretAccessKey: null, endpointS3: `https://${"a".repeat(32)}.r2.cloudflarestorage.com` },
      },
    },
  },
  {
    method: "POST",
    path: "/api/auth/settings/test-redis",
    body: { endpoint: `redis://:${canary}@redis.example`, password: canary },
  },
  {
    method: "POST",
    path: "/api/auth/settings/test-r2",
    body: { bucket: "atrium-files", accessKeyId: `access-${canary}`, secretAccessKey: `secret-${canary}` },
  },
  { method: "GET", path: "/api/plugins/visitor-notes/starter" },
  { method: "GET", path: "/api/plugins/site-scripts" },
  { method: "PUT", path: "/api/plugins/visitor-notes/settings", body: { values: { apiKey: canary } } },
  { method: "POST", path: "/api/plugins/inspect", body: { plugin: canary } },
  {
    method: "POST",
    path: "/api/plugins/upload",
    query: { allowDowngrade: "true" },
    body: { plugin: canary },
  },
  { method: "GET", path: "/api/plugin-host/manifest.schema.json" },
  { method: "POST", path: "/api/plan/none", body: {} },
  { method: "POST", path: "/mcp", body: { jsonrpc: "2.0", id: 1, method: "ping" } },
  { method: "GET", path: "/api/plugins/visitor-notes/assets/0123456789ab/frontend/index.js" },
  { method: "GET", path: "/api/plugins/visitor-notes/frame" },
  { method: "GET", path: "/swagger/json" },
  { method: "GET", path: "/api/plugin-host/react.js" },
];
