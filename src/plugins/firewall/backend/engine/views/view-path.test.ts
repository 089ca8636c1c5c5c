import { expect, test } from "bun:test";
import { toPathView } from "./view-path.ts";

test("every writing of dots and slashes is read as what a file system makes of it", () => {
  const written = {
    "..\\..\\x": "../../x",
    "....//....//etc": "../../etc",
    "..;/..;/x": "../../x",
    "/././../": "/../",
    "/etc//passwd": "/etc/passwd",
    "0x2e. 0x2f0x2e. /win.ini": "../../win.ini",
    "..%c0%af..%c1%9cetc": "../../etc",
    "\u2025/etc": "../etc",
  };
  expect(Object.keys(written).map(toPathView)).toEqual(Object.values(written));
});

test("texts without slashes stay as they are", () => {
  for (const text of ["wait... what?", "a.b.c", "5 > 3"]) expect(toPathView(text)).toBe(text);
});
