import { expect, test } from "bun:test";
import { documentToShow } from "./document-to-show.ts";

const document = {
  openapi: "3.1.0",
  servers: [{ url: "https://elsewhere.example" }],
  paths: {
    "/api/ready": { get: { summary: "Ready?", security: [{}, { token: [] }] } },
    "/api/admin": { get: { summary: "Overview", security: [{ session: [] }] } },
  },
  components: {
    schemas: { Failure: {} },
    securitySchemes: {
      session: { type: "apiKey", in: "cookie", name: "sid" },
      token: { type: "http", scheme: "bearer" },
    },
  },
};

test("calls go to where the page came from", () => {
  expect(documentToShow(document, "http://localhost:3000")).toMatchObject({
    servers: [{ url: "http://localhost:3000" }],
  });
});

test("nobody is asked for the session cookie, and tokens can be given", () => {
  expect(documentToShow(document, "http://localhost:3000")).toEqual({
    ...document,
    servers: [{ url: "http://localhost:3000" }],
    paths: {
      "/api/ready": { get: { summary: "Ready?", security: [{}, { token: [] }] } },
      "/api/admin": { get: { summary: "Overview", security: [] } },
    },
    components: {
      schemas: { Failure: {} },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  });
});
