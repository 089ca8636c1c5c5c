import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { clearOverlays, currentOverlays, onOverlayChange, registerOverlay } from "./registry.ts";

const first = () => null;
const second = () => null;

afterEach(clearOverlays);

describe("plugins' overlays", () => {
  test("are kept by plugin, and a new one takes the place of the old one", () => {
    registerOverlay("firewall", first);
    registerOverlay("shop", first);
    registerOverlay("firewall", second);
    expect([...currentOverlays()]).toEqual([
      ["firewall", second],
      ["shop", first],
    ]);
  });

  test("without a component are ignored, with a warning", () => {
    const warn = spyOn(console, "warn").mockImplementation(() => {});
    registerOverlay("firewall", first);
    for (const none of [undefined, null]) registerOverlay("firewall", none);
    expect(currentOverlays().get("firewall")).toBe(first);
    expect(warn.mock.calls).toEqual(
      Array(2).fill(["the overlay of firewall was ignored: it has no component"]),
    );
    warn.mockRestore();
  });

  test("can be cleared", () => {
    registerOverlay("firewall", first);
    clearOverlays();
    expect(currentOverlays().size).toBe(0);
  });

  test("are announced immediately, without polling", () => {
    let changes = 0;
    const stop = onOverlayChange(() => {
      changes += 1;
    });
    registerOverlay("firewall", first);
    stop();
    registerOverlay("firewall", second);
    expect(changes).toBe(1);
  });
});
