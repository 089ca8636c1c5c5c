import { afterEach, describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import { PluginSlot } from "./plugin-slot.tsx";
import { fillSlot, onSlotChange, slotContent } from "./slots.ts";

const undo: (() => void)[] = [];

const fill = (component: () => string) => {
  const empty = fillSlot("licensing", component);
  undo.push(empty);
  return empty;
};

afterEach(() => {
  for (const empty of undo.splice(0)) empty();
});

const first = () => "Community licence";
const second = () => "Licensed to Northwind";
const shown = () => renderToString(<PluginSlot name="licensing" />);

describe("the slot for licensing", () => {
  test("shows nothing while no plugin filled it", () => {
    expect(slotContent("licensing")).toBeNull();
    expect(shown()).toBe("");
  });

  test("shows the component of the plugin that filled it", () => {
    fill(first);
    expect(shown()).toContain("Community licence");
  });

  test("shows the latest component, and the one before cannot empty it", () => {
    const emptyFirst = fill(first);
    fill(second);
    emptyFirst();
    expect(slotContent("licensing")).toBe(second);
    expect(shown()).not.toContain("Community");
  });

  test("is empty again once its plugin has left, and tells whoever watches", () => {
    let changes = 0;
    const stop = onSlotChange(() => {
      changes += 1;
    });
    const empty = fill(first);
    empty();
    stop();
    fill(second);
    expect(changes).toBe(2);
  });
});
