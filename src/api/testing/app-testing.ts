/** `#app/testing`: what the tests of own features are made of. */
export { jobContext } from "#api/http/server/serve.ts";
export { contentsOf } from "./contents.ts";
export { createTestHost, type TestClient, type TestHost } from "./host.ts";
