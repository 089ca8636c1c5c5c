import { expect, test } from "bun:test";
import { hashRecoveryCode, newRecoveryCodes } from "./check-code.ts";

test("there are ten recovery codes of 80 bits, and none twice", () => {
  const codes = newRecoveryCodes();
  expect(codes).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20);
});

test("a recovery code may be typed in capitals, with spaces or without hyphens, and with i, l and o for digits", () => {
  const hash = hashRecoveryCode("q101-335n-mzd7-mng8");
  const typed = ["Q101-335N-MZD7-MNG8", "q101335nmzd7mng8", " qIoL 335n mzd7 mng8 ", "q101–335n–mzd7–mng8"];
  expect(typed.map(hashRecoveryCode)).toEqual(typed.map(() => hash));
  expect(hashRecoveryCode("q101-335n-mzd7-mng9")).not.toBe(hash);
});
