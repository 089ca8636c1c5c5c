import { createFrameReader, encodeFrame, type Frame, OversizedFrameError } from "./frames.ts";

/** One end of the line between the server and a plugin's process. */
export type Channel = {
  /** Bytes that the other end has not taken yet. */
  readonly unreadBytes: number;
  /** Hands over what has come and what comes from now on. */
  open(): void;
  send(head: string, body?: string): void;
  /** Ends the line; nothing is sent or heard after that. */
  close(): void;
};

export type ChannelEvents = {
  maxBodyBytes: number;
  onFrame(frame: Frame): void;
  /** The other end broke the form of frames; the line is closed. */
  onOversized(): void;
  /** The other end is gone, or taking in a frame failed with `error`. Not called after `close`. */
  onEnd(error?: Error): void;
};

/** The line on a descriptor that both processes hold one end of. Nothing is heard before `open`. */
export const createChannel = async (fd: number, events: ChannelEvents): Promise<Channel> => {
  let waiting: Buffer[] = [];
  let unreadBytes = 0;
  let isFlushing = false;
  let isBlocked = false;
  let isOpen = true;
  let early: Buffer[] | null = [];

  const reader = createFrameReader(events.maxBodyBytes, (frame) => {
    // The frame before may have been a reason to close.
    if (isOpen) events.onFrame(frame);
  });

  /** Writes what waits, all of it at once: a write costs more than a short message does. */
  const flush = (): void => {
    isFlushing = false;
    if (!isOpen || waiting.length === 0) return;
    const bytes = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
    if (bytes === undefined) return;
    const written = Math.max(0, socket.write(bytes));
    unreadBytes -= written;
    isBlocked = written < bytes.length;
    waiting = isBlocked ? [bytes.subarray(written)] : [];
  };

  const take = (chunk: Buffer): void => {
    if (!isOpen) return;
    try {
      reader.push(chunk);
    } catch (error) {
      if (!(error instanceof OversizedFrameError)) throw error;
      close();
      events.onOversized();
    }
  };

  const end = (error?: Error): void => {
    if (!isOpen) return;
    isOpen = false;
    events.onEnd(error);
  };

  const socket = await Bun.connect({
    ...onDescriptor(fd),
    socket: {
      data: (_, chunk) => {
        if (early === null) take(chunk);
        else early.push(Buffer.from(chunk));
      },
      drain: () => flush(),
      end: () => end(),
      close: () => end(),
      error: (_, error) => end(error),
    },
  });

  const close = (): void => {
    isOpen = false;
    socket.terminate();
  };

  return {
    get unreadBytes() {
      return unreadBytes;
    },
    open: () => {
      const chunks = early ?? [];
      early = null;
      for (const chunk of chunks) take(chunk);
    },
    send: (head, body = "") => {
      if (!isOpen) return;
      const frame = encodeFrame(head, body);
      unreadBytes += frame.length;
      waiting.push(frame);
      if (isFlushing || isBlocked) return;
      isFlushing = true;
      queueMicrotask(flush);
    },
    close,
  };
};

/** Bun connects to an open descriptor, for which its types have no name. */
const onDescriptor = (fd: number) => ({ fd }) as unknown as { unix: string };
