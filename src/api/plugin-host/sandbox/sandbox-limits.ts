import { pluginLimits } from "#contract/plugins.ts";

/** Limits between the server and a plugin's process, in addition to those that authors see. */
export const sandboxLimits = {
  /** A body with the rest of its message: the request's headers and query, or the response's. */
  invocationBytes: pluginLimits.bodyBytes + 64 * 1024,
  /** A plugin's arguments in one call: the largest is a file in base64. */
  callBytes: 8_000_000,
  /** Arguments of a plugin's calls, in bytes per second: reading them keeps the server from other work. */
  callBytesASecond: 10_000_000,
  /** What crosses to the host in a millisecond on a slow machine: this much of a plugin's time is the host's own. */
  crossingCharactersAMs: 20_000,
  /** The host's response to one call. */
  answerBytes: 16_000_000,
  /** Unread bytes of a process before it counts as hung. */
  unreadBytes: 64_000_000,
  /** Traffic between two garbage collections in a process: messages, and the bytes of their bodies. */
  uncollectedMessages: 4_000,
  uncollectedBytes: 8_000_000,
  sourceBytes: 5_000_000,
  registrationBytes: 1_000_000,
  /** Levels of JSON; deeper ones overflow a reader's stack. */
  jsonDepth: 200,
  /**
   * How long a process may work without answering: stopping a plugin and setting it up again takes a good part of that.
   */
  silentWorkMs: 2_000,
  /** How long a process that gets no CPU time may be silent. */
  starvedMs: 10_000,
  bootMs: 10_000,
  migrateMs: 60_000,
  /** How long after its own deadline a process may be silent about a call. */
  lateMs: 2_000,
  /** CPU time of a bundle's evaluation, and of each uninterrupted piece of its setup. */
  setupCpuMs: 500,
  /** After this long, the plugin's remaining work waits for the process's own work. */
  sliceMs: 50,
  /** CPU time that a plugin may use while no one waits for it. */
  idleCpuMs: 1_500,
  idleWindowMs: 5_000,
  /** Replaced interpreters per process and minute; the next one ends the process. */
  recoveriesAMinute: 30,
  /** How often an interpreter that finishes its tasks may use up its time before the rest is given up. */
  exhaustionsWhileLeaving: 5,
  timers: 100,
  stackBytes: 256 * 1024,
} as const;

/** Whether JSON is nested more than `most` levels deep; text in quotes doesn't count. */
export const isDeeperThan = (json: Uint8Array, most: number): boolean => {
  // Each level opens and closes.
  if (json.length < 2 * most) return false;
  let depth = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (isText) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > most) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return false;
};

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
