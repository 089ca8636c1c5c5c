import { randomUUID } from "node:crypto";

export type LineProofOptions = {
  /** Sends a text to everyone who listens, this process among them. */
  send(text: string): Promise<void>;
  /** Called whenever {@link LineProof.isProven} changes. */
  onChange(isProven: boolean): void;
  /** After how long an echo is overdue, and when the line is tried again. */
  overdueMs?: number | undefined;
  retryMs?: number | undefined;
};

/** What is known of a line: whether what this process sends comes back to it, as it must where everything is heard. */
export type LineProof = {
  readonly isProven: boolean;
  /** The line is there, or gone: what came back on another one says nothing. */
  listen(isListening: boolean): void;
  /** Sends a text, whose echo is then awaited. Throws what sending throws. */
  send(text: string): Promise<void>;
  /** Whether a text that was heard is one of this process, which came back. */
  hear(text: string): boolean;
  stop(): void;
};

/**
 * Believes in a line once an echo has come back, and no longer when one is overdue. A pooler between here and PostgreSQL
 * takes LISTEN like any statement, and then lets no notification through: nothing but an echo tells.
 */
export const createLineProof = ({
  send,
  onChange,
  overdueMs = 3_000,
  retryMs = 5_000,
}: LineProofOptions): LineProof => {
  const awaited = new Map<string, ReturnType<typeof setTimeout> | null>();
  let isListening = false;
  let isProven = false;
  let isStopped = false;
  let nextTry: ReturnType<typeof setTimeout> | undefined;

  const settle = (proven: boolean): void => {
    if (isProven === proven) return;
    isProven = proven;
    onChange(proven);
  };

  const forget = (text: string): void => {
    clearTimeout(awaited.get(text) ?? undefined);
    awaited.delete(text);
  };

  const forgetAll = (): void => {
    clearTimeout(nextTry);
    for (const text of [...awaited.keys()]) forget(text);
  };

  const doubt = (): void => {
    settle(false);
    clearTimeout(nextTry);
    if (isListening && !isStopped) nextTry = setTimeout(tryLine, retryMs);
  };

  const sendAwaited = async (text: string): Promise<void> => {
    // Before it is sent: the echo may be here sooner than the answer to the sending.
    awaited.set(text, null);
    try {
      await send(text);
    } catch (error) {
      forget(text);
      throw error;
    }
    if (!awaited.has(text)) return;
    const onOverdue = (): void => {
      awaited.delete(text);
      doubt();
    };
    if (isListening && !isStopped) awaited.set(text, setTimeout(onOverdue, overdueMs));
    else awaited.delete(text);
  };

  const tryLine = (): void => {
    // A message that holds no event is passed over by whoever else hears it.
    sendAwaited(JSON.stringify({ probe: randomUUID() })).catch(doubt);
  };

  return {
    get isProven() {
      return isProven;
    },
    listen: (nowListening) => {
      isListening = nowListening;
      forgetAll();
      settle(false);
      if (nowListening) tryLine();
    },
    send: sendAwaited,
    hear: (text) => {
      if (!awaited.has(text) || !isListening) return false;
      forget(text);
      settle(true);
      return true;
    },
    stop: () => {
      isStopped = true;
      forgetAll();
    },
  };
};
