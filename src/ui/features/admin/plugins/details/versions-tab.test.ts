import { expect, test } from "bun:test";
import { isNewerVersion } from "./versions-tab.tsx";

test("versions are in the order of Semantic Versioning", () => {
  // The example of its section 11, with some more at its ends.
  const rising = [
    "0.9.12",
    "1.0.0-1",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.2.0",
    "1.10.0",
    "10.0.0",
  ];
  for (const [at, one] of rising.entries())
    for (const [before, other] of rising.entries())
      expect([one, other, isNewerVersion(one, other)]).toEqual([one, other, at > before]);
  expect(isNewerVersion("1.0.0+later", "1.0.0+earlier")).toBe(false);
});
