import { sandboxLimits } from "../sandbox-limits.ts";

/**
 * Collects garbage depending on what passes through the process. The runtime looks at the memory of the whole machine
 * and would let more accumulate than a plugin's process may use: an honest plugin would be ended for it.
 */
export type Collector = {
  /** A message of that many bytes was received or sent. */
  passed(bytes: number): void;
  /** Called periodically: collects what is left once nothing has passed since the last time. */
  rest(): void;
};

/** `collect` runs between messages, never within one. */
export const createCollector = (collect: () => void): Collector => {
  let messages = 0;
  let bytes = 0;
  let seenMessages = 0;
  let isDue = false;
  let isWorthIt = false;

  const run = (): void => {
    messages = 0;
    bytes = 0;
    seenMessages = 0;
    isDue = false;
    isWorthIt = false;
    collect();
  };

  return {
    passed: (size) => {
      messages += 1;
      bytes += size;
      isWorthIt ||= messages >= few.messages || bytes >= few.bytes;
      if (isDue || (messages < sandboxLimits.uncollectedMessages && bytes < sandboxLimits.uncollectedBytes))
        return;
      isDue = true;
      setImmediate(run);
    },
    rest: () => {
      if (isWorthIt && !isDue && messages === seenMessages) run();
      seenMessages = messages;
    },
  };
};

// Less is not worth its own collection.
const few = { messages: sandboxLimits.uncollectedMessages / 8, bytes: sandboxLimits.uncollectedBytes / 8 };
