import type { SyscallTable } from "./syscalls.ts";

/** One instruction of a classic BPF program. */
export type Instruction = { code: number; ifTrue: number; ifFalse: number; value: number };

/**
 * The filter for a plugin's process with the number `pid`: what it needs no more fails with EPERM. Threads may still
 * be made and signalled, because the garbage collector does so.
 */
export const seccompFilter = (table: SyscallTable, pid: number): Instruction[] => {
  const refused = [...new Set(Object.values(table.refused))];
  return [
    load(offsets.audit),
    ...unless(equals, table.audit, answers.kill),
    load(offsets.number),
    ...(table.otherNumbering === null ? [] : when(atLeast, table.otherNumbering, answers.refuse)),
    // Its arguments are in memory, which no filter can read; the C library then falls back to `clone`.
    ...when(equals, table.clone3, answers.missing),
    // A process of its own is refused, a thread is not.
    ...whenCall(table.clone, hasBits, cloneThread),
    ...whenCall(table.tgkill, equals, pid),
    ...refused.flatMap((number) => when(equals, number, answers.refuse)),
    give(answers.allow),
  ];
};

/** The program as the kernel reads it. */
export const encodeFilter = (filter: readonly Instruction[]): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer(filter.length * instructionBytes));
  for (const [index, { code, ifTrue, ifFalse, value }] of filter.entries()) {
    const at = index * instructionBytes;
    bytes.setUint16(at, code, true);
    bytes.setUint8(at + 2, ifTrue);
    bytes.setUint8(at + 3, ifFalse);
    bytes.setUint32(at + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
};

/** What the filter may answer: `SECCOMP_RET_…`, with the error's number in the low half. */
export const answers = {
  allow: 0x7fff0000,
  refuse: 0x00050000 + 1,
  missing: 0x00050000 + 38,
  kill: 0x80000000,
} as const;

// Where `struct seccomp_data` holds the call's number, the processor, and the lower half of the first argument.
const offsets = { number: 0, audit: 4, firstArgument: 16 } as const;

const equals = 0x15;
const atLeast = 0x35;
const hasBits = 0x45;

const load = (offset: number): Instruction => ({ code: 0x20, ifTrue: 0, ifFalse: 0, value: offset });
const give = (answer: number): Instruction => ({ code: 0x06, ifTrue: 0, ifFalse: 0, value: answer });

const when = (test: number, value: number, answer: number): Instruction[] => [
  { code: test, ifTrue: 0, ifFalse: 1, value },
  give(answer),
];

const unless = (test: number, value: number, answer: number): Instruction[] => [
  { code: test, ifTrue: 1, ifFalse: 0, value },
  give(answer),
];

/** Allows a call only with such a first argument. */
const whenCall = (number: number, test: number, value: number): Instruction[] => [
  { code: equals, ifTrue: 0, ifFalse: 4, value: number },
  load(offsets.firstArgument),
  ...unless(test, value, answers.refuse),
  give(answers.allow),
];

const cloneThread = 0x00010000;
const instructionBytes = 8;
