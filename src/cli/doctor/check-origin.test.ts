import { expect, test } from "bun:test";
import { checkOrigin } from "./check-origin.ts";

test("the default serves this machine, and that is fine", async () => {
  expect((await checkOrigin({ appUrl: null, host: "127.0.0.1" })).state).toBe("ok");
});

test("a server open to the network without a public address is warned about", async () => {
  const check = await checkOrigin({ appUrl: null, host: "0.0.0.0" });
  expect(check).toMatchObject({ state: "warn", remedy: expect.stringContaining("APP_URL") });
  expect((await checkOrigin({ appUrl: "http://localhost:3000", host: "0.0.0.0" })).state).toBe("warn");
});

test("a public host that cannot be looked up is warned about", async () => {
  expect(await checkOrigin({ appUrl: "https://atrium.invalid", host: "127.0.0.1" })).toMatchObject({
    state: "warn",
  });
  expect((await checkOrigin({ appUrl: "https://localhost", host: "127.0.0.1" })).state).toBe("ok");
  expect((await checkOrigin({ appUrl: "https://192.0.2.1", host: "127.0.0.1" })).state).toBe("ok");
});
