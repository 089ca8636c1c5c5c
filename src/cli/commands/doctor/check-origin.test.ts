import { expect, test } from "bun:test";
import { checkOrigin } from "./check-reach.ts";

test("the default serves this machine, and that is fine", async () => {
  const settings = { appUrl: null, host: "127.0.0.1" };
  expect(await checkOrigin({ ...settings, port: 3000 })).toMatchObject({
    state: "ok",
    detail: "http://localhost:3000, for this machine only",
  });
  expect((await checkOrigin({ ...settings, port: 0 })).detail).toStartWith(
    "http://localhost with a free port,",
  );
});

test("a server open to the network without a public address is warned about", async () => {
  const check = await checkOrigin({ appUrl: null, host: "0.0.0.0", port: 3000 });
  expect(check).toMatchObject({ state: "warn", remedy: expect.stringContaining("APP_URL") });
  expect((await checkOrigin({ appUrl: "http://localhost:3000", host: "0.0.0.0", port: 3000 })).state).toBe(
    "warn",
  );
});

test("a public host that cannot be looked up is warned about", async () => {
  expect(
    await checkOrigin({ appUrl: "https://atrium.invalid", host: "127.0.0.1", port: 3000 }),
  ).toMatchObject({
    state: "warn",
  });
  expect((await checkOrigin({ appUrl: "https://localhost", host: "127.0.0.1", port: 3000 })).state).toBe(
    "ok",
  );
  expect((await checkOrigin({ appUrl: "https://192.0.2.1", host: "127.0.0.1", port: 3000 })).state).toBe(
    "ok",
  );
});

test("settings that are not those of the running server are warned about, with both addresses", async () => {
  const settings = { appUrl: null, host: "127.0.0.1", port: 3000 };
  expect(await checkOrigin(settings, "https://atrium.example")).toMatchObject({
    state: "warn",
    detail: expect.stringMatching(/https:\/\/atrium\.example,.*http:\/\/localhost:3000$/),
    remedy: expect.stringContaining("environment"),
  });
  expect((await checkOrigin(settings, "http://localhost:3001")).state).toBe("warn");
  expect((await checkOrigin({ ...settings, appUrl: "https://a.example" }, "https://b.example")).state).toBe(
    "warn",
  );
  expect((await checkOrigin({ ...settings, port: 0 }, "https://atrium.example")).state).toBe("warn");
});

test("settings that are those of the running server are fine", async () => {
  const settings = { appUrl: null, host: "127.0.0.1", port: 3000 };
  expect((await checkOrigin(settings, "http://localhost:3000")).state).toBe("ok");
  expect(await checkOrigin({ ...settings, port: 0 }, "http://localhost:40123")).toMatchObject({
    state: "ok",
    detail: "http://localhost:40123, for this machine only",
  });
});
