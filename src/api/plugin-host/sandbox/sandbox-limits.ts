import { pluginLimits } from "#contract/plugins.ts";

/** Bounds between the server and a plugin's process, beside those that authors see. */
export const sandboxLimits = {
  /** A body with what stands around it: the request's headers and query, or the answer's. */
  invocationBytes: pluginLimits.bodyBytes + 64 * 1024,
  /** What a plugin hands the host in one call: a file in base64 is the largest. */
  callBytes: 8_000_000,
  /** What plugins hand over in calls, in bytes a second: reading it keeps the server from other work. */
  callBytesASecond: 10_000_000,
  /** What crosses to the host in a millisecond on a slow machine: so much of a plugin's time is the host's own. */
  crossingCharactersAMs: 20_000,
  /** What the host answers to one call. */
  answerBytes: 16_000_000,
  /** What waits to be read by a process before that counts as hung. */
  unreadBytes: 64_000_000,
  /** What passes between two collections of garbage in a process: messages, and the bytes of their bodies. */
  uncollectedMessages: 4_000,
  uncollectedBytes: 8_000_000,
  sourceBytes: 5_000_000,
  registrationBytes: 1_000_000,
  /** Levels of JSON; deeper ones overflow the stack of whoever reads them. */
  jsonDepth: 200,
  /** How long a process may work without answering: to stop a plugin and set it up anew takes a good part of that. */
  silentWorkMs: 2_000,
  /** How long a process may say nothing that gets no time from the machine. */
  starvedMs: 10_000,
  bootMs: 10_000,
  migrateMs: 60_000,
  /** How long after its own deadline a process may be silent about a call. */
  lateMs: 2_000,
  /** Processor time of a bundle's evaluation, and of each uninterrupted piece of its set-up. */
  setupCpuMs: 500,
  /** After this long, what the plugin has left to do waits for what the process has to do. */
  sliceMs: 50,
  /** Processor time that a plugin may use while nobody waits for it. */
  idleCpuMs: 1_500,
  idleWindowMs: 5_000,
  /** Interpreters made anew in one process in a minute; the next one ends the process. */
  recoveriesAMinute: 30,
  /** How often one that finishes what it was given may use up its time before what is left is given up. */
  exhaustionsWhileLeaving: 5,
  timers: 100,
  stackBytes: 256 * 1024,
} as const;

/** Whether JSON is nested more than `most` levels deep; text between quotes does not count. */
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
