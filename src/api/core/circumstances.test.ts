import { expect, test } from "bun:test";
import { describeDevice } from "./circumstances.ts";

const mozilla = "Mozilla/5.0";
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox on Linux"],
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    "Edge on Windows",
  ],
  [`${mozilla} (X11; Linux x86_64) ${webkit} Chrome/139.0.0.0 Safari/537.36 OPR/124.0.0.0`, "Opera on Linux"],
  [`${mozilla} (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
    "Safari on macOS",
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
    "Safari on iOS",
  ],
  [
    `${mozilla} (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1`,
    "Chrome on iOS",
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 FxiOS/140.0 Mobile/15E148 Safari/605.1.15`,
    "Firefox on iOS",
  ],
  ["SomeProgram/1.0 (Windows NT 10.0)", "Unknown browser on Windows"],
  ["Firefox/140.0", "Firefox"],
  ["curl/8.14.1", "Unknown device"],
  ["", "Unknown device"],
  [null, "Unknown device"],
])("%p is %p", (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words);
});

test("nothing of what a browser calls itself comes through, however it is written", () => {
  for (const hostile of ["<script>alert(1)</script>", "\r\nBcc: eve@x.example", "https://evil.example/"]) {
    for (const shape of [
      `${hostile} Firefox/1 ${hostile} Linux`,
      `Firefox/1${hostile} (Linux; ${hostile})`,
    ]) {
      expect(describeDevice(shape)).toBe("Firefox on Linux");
    }
    expect(describeDevice(hostile)).toBe("Unknown device");
  }
});

test("an overlong name costs no time", () => {
  const begun = Bun.nanoseconds();
  expect(describeDevice(`${"Firefox ".repeat(10_000)}${"Linu".repeat(10_000)}`)).toBe("Unknown device");
  expect((Bun.nanoseconds() - begun) / 1e6).toBeLessThan(50);
});
