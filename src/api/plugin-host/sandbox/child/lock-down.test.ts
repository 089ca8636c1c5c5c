import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { answers, encodeFilter, type Instruction, seccompFilter, syscallTables } from "./lock-down.ts";

/** Runs a filter as the kernel would; an argument is its lower half. */
const judge = (filter: readonly Instruction[], audit: number, number: number, argument = 0): number => {
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 1) {
    const { code, ifTrue, ifFalse, value } = filter[at] ?? { code: 0, ifTrue: 0, ifFalse: 0, value: 0 };
    if (code === 0x06) return value;
    if (code === 0x20) loaded = { 0: number, 4: audit, 16: argument }[value] ?? Number.NaN;
    else if (code === 0x15) at += loaded === value ? ifTrue : ifFalse;
    else if (code === 0x35) at += loaded >= value ? ifTrue : ifFalse;
    else if (code === 0x45) at += (loaded & value) !== 0 ? ifTrue : ifFalse;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("the filter has no end");
};

const pid = 4242;
const allowed = {
  x64: { read: 0, write: 1, mmap: 9, futex: 202 },
  arm64: { read: 63, write: 64, mmap: 222, futex: 98 },
};

describe.each(["x64", "arm64"] as const)("the filter for %s", (arch) => {
  const table = syscallTables[arch];
  if (table === undefined) throw new Error(`no table for ${arch}`);
  const filter = seccompFilter(table, pid);

  test("refuses each call on the list and allows what computing needs", () => {
    for (const number of Object.values(table.refused))
      expect(judge(filter, table.audit, number)).toBe(answers.refuse);
    for (const number of Object.values(allowed[arch]))
      expect(judge(filter, table.audit, number)).toBe(answers.allow);
  });

  test("allows threads but no processes, and signals to itself but to no other process", () => {
    expect(judge(filter, table.audit, table.clone, 0x10000 | 0x100)).toBe(answers.allow);
    expect(judge(filter, table.audit, table.clone, 17)).toBe(answers.refuse);
    expect(judge(filter, table.audit, table.clone3)).toBe(answers.missing);
    expect(judge(filter, table.audit, table.tgkill, pid)).toBe(answers.allow);
    expect(judge(filter, table.audit, table.tgkill, 1)).toBe(answers.refuse);
  });

  test("ends a process that makes system calls of another architecture", () => {
    expect(judge(filter, 0x40000003, 1)).toBe(answers.kill);
    if (table.otherNumbering !== null)
      expect(judge(filter, table.audit, table.otherNumbering + 1)).toBe(answers.refuse);
  });

  test("is written as the kernel reads it", () => {
    const bytes = encodeFilter(filter);
    expect(bytes).toHaveLength(filter.length * 8);
    expect([...bytes.subarray(0, 8)]).toEqual([0x20, 0, 0, 0, 4, 0, 0, 0]);
  });
});

const headers = {
  x64: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
  arm64: "/usr/include/asm-generic/unistd.h",
} as const;

test("the numbers are those of the kernel's headers, where they are installed", () => {
  for (const arch of ["x64", "arm64"] as const) {
    if (!existsSync(headers[arch])) continue;
    const found = readFileSync(headers[arch], "utf8").matchAll(/#define __NR(?:3264)?_(\w+)\s+(\d+)/g);
    const numbers = new Map([...found].map(([, name, number]) => [name, Number(number)]));
    numbers.set("newfstatat", numbers.get("newfstatat") ?? numbers.get("fstatat") ?? -1);
    // Headers may be older than the newest calls.
    for (const [name, number] of Object.entries(syscallTables[arch]?.refused ?? {}))
      expect([name, numbers.get(name) ?? number]).toEqual([name, number]);
  }
});
