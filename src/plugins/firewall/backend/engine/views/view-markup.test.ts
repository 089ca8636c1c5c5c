import { expect, test } from "bun:test";
import { toMarkupView } from "./view-markup.ts";

test("escapes of style sheets are decoded where they are letters", () => {
  expect(toMarkupView("width:\\65 xpression(1)")).toBe("width:expression(1)");
  expect(toMarkupView("width:e\\xpression(1)")).toBe("width:expression(1)");
  expect(toMarkupView("c:\\dir\\9")).toBe("c:\\dir\\9");
});
