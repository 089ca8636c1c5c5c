import { afterEach, describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import type { SlotContent } from "#plugins/sdk/frontend-types.ts";
import { fillSlot, onSlotChange, PluginSlot, slotContent } from "./slots.tsx";

const undo: (() => void)[] = [];

const fill = (content: SlotContent) => {
  const empty = fillSlot("licensing", content);
  undo.push(empty);
  return empty;
};

afterEach(() => {
  for (const empty of undo.splice(0)) empty();
});

const first = { text: "Community license" };
const second = { text: "Licensed to <Northwind>", title: "Until next year" };
const shown = () => renderToString(<PluginSlot name="licensing" className="small" />);

describe("the slot for licensing", () => {
  test("shows nothing while no plugin filled it", () => {
    expect(slotContent("licensing")).toBeNull();
    expect(shown()).toBe("");
  });

  test("shows the text of the plugin that filled it, as text", () => {
    fill(first);
    expect(shown()).toBe('<span class="small">Community license</span>');
    fill(second);
    expect(shown()).toBe('<span class="small" title="Until next year">Licensed to &lt;Northwind&gt;</span>');
  });

  test("leads where the plugin says, in this window", () => {
    fill({ text: "License", href: "https://licenses.example/" });
    expect(shown()).toBe('<a href="https://licenses.example/" class="small">License</a>');
  });

  test("shows the latest text, and the one before cannot empty it", () => {
    const emptyFirst = fill(first);
    fill(second);
    emptyFirst();
    expect(slotContent("licensing")).toBe(second);
    expect(shown()).not.toContain("Community");
  });

  test("is empty again once its plugin has left, and notifies subscribers", () => {
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
