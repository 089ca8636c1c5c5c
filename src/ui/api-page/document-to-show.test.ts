import { expect, test } from "bun:test";
import { documentToShow, whyUnread } from "./document-to-show.ts";
import { apiPageTexts as texts } from "./texts.ts";

const document = {
  openapi: "3.1.0",
  servers: [{ url: "https://elsewhere.example" }],
  paths: {
    "/api/ready": { get: { summary: "Ready?", security: [{}, { metrics: [] }] } },
    "/api/admin": {
      get: {
        summary: "Overview",
        description: "All of it.",
        security: [{ session: ["admin"] }, { operator: [] }],
      },
    },
  },
  components: {
    schemas: { Failure: {} },
    securitySchemes: {
      session: { type: "apiKey", in: "cookie", name: "sid" },
      token: { type: "http", scheme: "bearer" },
      metrics: { type: "http", scheme: "bearer" },
      operator: { type: "mutualTLS" },
    },
  },
};

test("calls go to where the page came from", () => {
  expect(documentToShow(document, "http://localhost:3000")).toMatchObject({
    servers: [{ url: "http://localhost:3000" }],
  });
});

test("a session cookie or the control socket is never asked for, and tokens can be entered", () => {
  expect(documentToShow(document, "http://localhost:3000")).toEqual({
    ...document,
    servers: [{ url: "http://localhost:3000" }],
    paths: {
      "/api/ready": {
        get: {
          summary: "Ready?",
          description: `*${texts.everybodyMoreByToken}*`,
          security: [{}, { metrics: [] }],
        },
      },
      "/api/admin": {
        get: { summary: "Overview", description: `*${texts.admins}*\n\nAll of it.`, security: [] },
      },
    },
    components: {
      schemas: { Failure: {} },
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        metrics: { type: "http", scheme: "bearer" },
      },
    },
  });
});

test("each call says who may make it", () => {
  const audienceOf = (security?: object[]) => {
    const paths = { "/api/call": { get: { security } } };
    const shown = Object(documentToShow({ ...document, paths }, "http://localhost:3000"));
    return shown.paths["/api/call"].get.description;
  };
  expect(audienceOf()).toBe(`*${texts.everybody}*`);
  expect(audienceOf([])).toBe(`*${texts.everybody}*`);
  expect(audienceOf([{ session: [] }])).toBe(`*${texts.signedIn}*`);
  expect(audienceOf([{ token: [] }])).toBe(`*${texts.token}*`);
  expect(audienceOf([{ metrics: [] }])).toBe(`*${texts.token}*`);
  const admin = { session: ["admin"] };
  expect(audienceOf([admin, { token: ["users:read"] }, { operator: [] }])).toBe(
    `*${texts.adminsAndTokens("users:read")}*`,
  );
  expect(audienceOf([admin, { token: [] }])).toBe(`*${texts.adminsAndTokens("")}*`);
  expect(audienceOf([{ operator: [] }])).toBe(`*${texts.operator}*`);
});

const answered = (status: number, headers: Record<string, string> = {}) =>
  whyUnread({ status, headers: new Headers(headers) });

test("too many requests are named as that, with the minutes to wait where the server tells them", () => {
  expect(answered(429, { "retry-after": "200" })).toBe(`${texts.tooMany} Please try again in 4 minutes.`);
  expect(answered(429)).toBe(`${texts.tooMany} ${texts.later}`);
  expect(answered(429, { "retry-after": "Fri, 31 Dec 2999 23:59:59 GMT" })).toBe(
    `${texts.tooMany} ${texts.later}`,
  );
});

test("anything else is a matter of the connection or the server", () => {
  expect([answered(500), answered(503, { "retry-after": "1" }), whyUnread(null)]).toEqual([
    texts.failed,
    texts.failed,
    texts.failed,
  ]);
});
