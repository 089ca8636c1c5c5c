import { expect, test } from "bun:test";
import { plainStatus } from "#cli/testing/system-status.ts";
import { settingsTexts } from "#contract/settings.ts";
import { checkVisitors } from "./check-reach.ts";

const judge = (warning: string | null, newestVisitor: string | null) =>
  checkVisitors({
    status: { ...plainStatus, visitor: { ...plainStatus.visitor, warning, newestVisitor } },
  });

test("the address under which the newest visitor is seen is told, and who is believed about it", () => {
  expect(judge(null, "203.0.113.7")).toEqual({
    name: "visitors",
    state: "ok",
    detail: "the latest visitor's IP address is 203.0.113.7; trusted proxies: loopback",
    remedy: null,
  });
  const { visitor } = plainStatus;
  const alone = { status: { ...plainStatus, visitor: { ...visitor, trustedProxies: [] } } };
  expect(checkVisitors(alone).detail).toEndWith("no proxy is trusted");
});

test("without visitors it says how to find out", () => {
  expect(judge(null, null)).toMatchObject({ state: "ok", detail: expect.stringContaining("open a page") });
});

test("that every visitor looks the same is a warning with the server's words and what to do", () => {
  const words = settingsTexts.everybodyLooksTheSame("172.18.0.5", { isListed: false, trustProxy: false });
  expect(judge(words, "172.18.0.5")).toMatchObject({
    state: "warn",
    detail: `${words} The latest visitor's IP address is 172.18.0.5.`,
    remedy: expect.stringMatching(/TRUSTED_PROXIES.*core\.security\.trustProxy/),
  });
});

test("without a server it is not known, and one that does not say is a warning", () => {
  expect(checkVisitors(null)).toMatchObject({ state: "ok", detail: expect.stringContaining("unknown") });
  expect(checkVisitors({ problem: "no answer" })).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("no answer"),
  });
});
