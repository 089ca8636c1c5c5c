import { expect, test } from "bun:test";
import { refuseOthersFolder } from "./folder-owner.ts";

test("root is told to work as the owner of a folder that is not root's", () => {
  const asked = () => refuseOthersFolder("/data/atrium", { user: 0, owner: 4_000_000 });
  expect(asked).toThrow("sudo -u '#4000000' atrium … --data-dir /data/atrium");
});

test("an owner, a new folder and another user's own rights are let be", () => {
  refuseOthersFolder("/data/atrium", { user: 0, owner: 0 });
  refuseOthersFolder("/data/atrium", { user: 0, owner: null });
  refuseOthersFolder("/data/atrium", { user: 1000, owner: 1001 });
  refuseOthersFolder("/data/atrium", { user: undefined, owner: 1001 });
});
