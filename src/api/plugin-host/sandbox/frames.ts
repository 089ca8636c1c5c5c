/**
 * How the server and a plugin's process talk: frames of a short head and a body, each JSON, behind their two lengths.
 * The lengths come first so that nothing is kept or parsed that is larger than allowed, and the body is apart so
 * that its JSON passes as it is.
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

/** Takes bytes as they come, and hands out each frame once it is whole. */
export type FrameReader = {
  /** Throws {@link OversizedFrameError}; nothing may be pushed after that. */
  push(chunk: Buffer): void;
};

/** A frame says that it is larger than any may be. */
export class OversizedFrameError extends Error {}

/** Reads frames whose bodies have at most `maxBodyBytes`. `onFrame` may keep nothing of what it is given. */
export const createFrameReader = (maxBodyBytes: number, onFrame: (frame: Frame) => void): FrameReader => {
  // What has come of a frame that is not whole; joined only then, or a large one would be copied once a chunk.
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

  /** Hands out the whole frames in `bytes`; what is left of it begins with a frame's lengths. */
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
