/** One end of the connection between the server and a plugin's process. */
export type Channel = {
  /** Bytes that the other end has not read yet. */
  readonly unreadBytes: number;
  /** Delivers what has arrived and what arrives from now on. */
  open(): void;
  send(head: string, body?: string): void;
  /** Closes the connection; nothing is sent or received after that. */
  close(): void;
};

export type ChannelEvents = {
  maxBodyBytes: number;
  onFrame(frame: Frame): void;
  /** The other end sent an invalid frame; the connection is closed. */
  onOversized(): void;
  /** The other end is gone, or handling a frame failed with `error`. Not called after `close`. */
  onEnd(error?: Error): void;
};

/** The connection on a descriptor that both processes share. Nothing is delivered before `open`. */
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

  /** Writes everything that is waiting in one go: a write costs more than a short message. */
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

/**
 * The protocol between the server and a plugin's process: frames of a short head and a body, each JSON, after their two
 * lengths. The lengths come first so that nothing larger than allowed is kept or parsed, and the body is separate so
 * that its JSON passes unchanged.
 */
export type Frame = { head: Buffer; body: Buffer };

/** The bytes of a frame. */
export const encodeFrame = (head: string, body: string): Buffer => {
  const headBytes = Buffer.byteLength(head);
  const bodyBytes = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(lengthsBytes + headBytes + bodyBytes);
  frame.writeUInt32LE(headBytes, 0);
  frame.writeUInt32LE(bodyBytes, 4);
  frame.write(head, lengthsBytes);
  frame.write(body, lengthsBytes + headBytes);
  return frame;
};

/** Takes bytes as they arrive, and delivers each complete frame. */
type FrameReader = {
  /** Throws {@link OversizedFrameError}; nothing may be pushed after that. */
  push(chunk: Buffer): void;
};

/** A frame declares a size above the limit. */
export class OversizedFrameError extends Error {}

/** Reads frames whose bodies have at most `maxBodyBytes`. `onFrame` must not keep its arguments. */
export const createFrameReader = (maxBodyBytes: number, onFrame: (frame: Frame) => void): FrameReader => {
  // Chunks of an incomplete frame; joined only at its end, or a large one would be copied for each chunk.
  let parts: Buffer[] = [];
  let held = 0;
  let wanted = lengthsBytes;

  const measure = (bytes: Buffer): number => {
    const headBytes = bytes.readUInt32LE(0);
    const bodyBytes = bytes.readUInt32LE(4);
    if (headBytes > maxHeadBytes || bodyBytes > maxBodyBytes)
      throw new OversizedFrameError(`a message of ${headBytes + bodyBytes} bytes`);
    return lengthsBytes + headBytes + bodyBytes;
  };

  /** Delivers the complete frames in `bytes`; the rest begins with a frame's lengths. */
  const take = (bytes: Buffer): Buffer => {
    let rest = bytes;
    wanted = lengthsBytes;
    while (rest.length >= lengthsBytes) {
      const size = measure(rest);
      wanted = size;
      if (rest.length < size) break;
      const bodyAt = lengthsBytes + rest.readUInt32LE(0);
      onFrame({ head: rest.subarray(lengthsBytes, bodyAt), body: rest.subarray(bodyAt, size) });
      rest = rest.subarray(size);
      wanted = lengthsBytes;
    }
    return rest;
  };

  return {
    push: (chunk) => {
      parts.push(chunk);
      held += chunk.length;
      if (held < wanted) return;
      const rest = take(parts.length === 1 ? chunk : Buffer.concat(parts, held));
      // A copy: the socket may use its buffer again.
      parts = rest.length === 0 ? [] : [Buffer.from(rest)];
      held = rest.length;
    },
  };
};

const lengthsBytes = 8;
const maxHeadBytes = 16 * 1024;
