/** What code in the interpreter can reach outside it, before the plugin's own code comes. Plugins never see it. */
export type NativesInVm = {
  /** Calls one of `textNatives` with a JSON array of its arguments; JSON comes back. */
  text(name: string, args: string): string;
  /** Calls one of `byteNatives`. */
  bytes(name: string, first: string, second?: ArrayBuffer, third?: ArrayBuffer): ArrayBuffer;
  /** The text that bytes stand for, as JSON. */
  decode(data: ArrayBuffer, isFatal: boolean, ignoreBOM: boolean): string;
  isSame(a: ArrayBuffer, b: ArrayBuffer): boolean;
  log(level: string, message: string): void;
  /** Has `fire` called with `id` after `ms`. */
  startTimer(id: number, ms: number): void;
  stopTimer(id: number): void;
  call(id: number, op: string, args: string): void;
  /** What a task came to: JSON, or nothing for `undefined`. */
  succeed(id: number, json?: string): void;
  /** A JSON array of the message and the stack. */
  fail(id: number, json: string): void;
};
