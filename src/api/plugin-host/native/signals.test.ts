import { expect, test } from "bun:test";
import {
  createMemoryEventBus,
  readMessage,
  writeMessage,
} from "#api/adapters/event-bus/postgres-event-bus.ts";
import type { AppEvent } from "#api/core/events.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { createSignals } from "./native-host.ts";

const signal = (plugin: string, topic: string): AppEvent => ({ type: "plugin-signal", plugin, topic });

test("a plugin hears its own signals and no others', until it is stopped", () => {
  const bus = createMemoryEventBus(createRecordingLog());
  const heard: (string | null)[] = [];
  const failures: string[] = [];
  const signals = createSignals(bus, (plugin) => failures.push(plugin));
  signals.open("firewall", (topic) => void heard.push(topic));
  signals.open("broken", () => {
    throw new Error("no");
  });
  for (const event of [signal("firewall", "bans"), signal("broken", "x"), signal("absent", "x")])
    bus.publish(event);
  signals.close("firewall");
  bus.publish(signal("firewall", "late"));
  expect([heard, failures]).toEqual([["bans"], ["broken"]]);
});

test("a plugin is told when signals of other servers may have been missed", () => {
  let gap = (): void => {};
  const heard: (string | null)[] = [];
  const signals = createSignals(
    {
      subscribe: (_, onGap = () => {}) => {
        gap = onGap;
        return () => {};
      },
    },
    () => {},
  );
  signals.open("firewall", (topic) => void heard.push(topic));
  gap();
  expect(heard).toEqual([null]);
});

test("signals travel between servers, longer ones do not", () => {
  const read = (topic: string) =>
    readMessage(writeMessage({ origin: "a", id: "b", event: signal("firewall", topic) }))?.event;
  expect(read("bans")).toEqual(signal("firewall", "bans"));
  expect(read("x".repeat(65))).toBeUndefined();
});
