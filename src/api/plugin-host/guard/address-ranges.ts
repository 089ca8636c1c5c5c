import { isIPv6 } from "node:net";
import { type AddressSpan, numberOf } from "#contract/endpoints.ts";

/**
 * Tests whether an IP address, in canonical form, is in one of the ranges; the number of steps grows with the digits of
 * their number.
 */
export const createAddressTest = (spans: readonly AddressSpan[]): ((address: string) => boolean) => {
  const indexOf = createRangeIndex(spans);
  return (address) => indexOf(address) !== -1;
};

/**
 * The index of the first range that contains an IP address, in canonical form; -1 if none does. The number of steps
 * grows with the digits of their number.
 */
export const createRangeIndex = (spans: readonly AddressSpan[]): ((address: string) => number) => {
  const four = cut(spans, 4);
  // Numbers hold 32 bits exactly, at a tenth of the cost of BigInt.
  const fourFirst = Float64Array.from(four.firsts, Number);
  const six = cut(spans, 6);
  return (address) => {
    if (!address.includes(":")) {
      if (fourFirst.length === 0) return -1;
      const value = ipv4Value(address);
      return value === -1 ? -1 : (four.owners[lastUpTo(fourFirst, value)] ?? -1);
    }
    if (six.firsts.length === 0 || !isIPv6(address)) return -1;
    const value = numberOf(address);
    let [low, high] = [0, six.firsts.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      if ((six.firsts[middle] ?? 0n) <= value) low = middle + 1;
      else high = middle - 1;
    }
    return six.owners[high] ?? -1;
  };
};

/** The index of the last number that is not larger; -1 if all are. */
const lastUpTo = (sorted: Float64Array, value: number): number => {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle - 1;
  }
  return high;
};

/** The addresses of a family in pieces: where each begins, and the range it belongs to (-1: none); in order. */
type Pieces = { firsts: bigint[]; owners: number[] };

/** Cuts ranges into pieces with one owner each: the first range that covers it. */
const cut = (spans: readonly AddressSpan[], family: 4 | 6): Pieces => {
  const own = spans.flatMap((span, owner) => (span.family === family ? [{ ...span, owner }] : []));
  const edges = own
    .flatMap(({ first, last, owner }) => [
      { at: first, owner, isStart: true },
      { at: last + 1n, owner, isStart: false },
    ])
    .sort((one, other) => Number(one.at > other.at) - Number(one.at < other.at));
  const pieces: Pieces = { firsts: [], owners: [] };
  const open = createLowest();
  for (const [index, { at, owner, isStart }] of edges.entries()) {
    if (isStart) open.add(owner);
    else open.remove(owner);
    if (edges[index + 1]?.at === at) continue;
    const lowest = open.lowest();
    if (pieces.owners.at(-1) === lowest) continue;
    pieces.firsts.push(at);
    pieces.owners.push(lowest);
  }
  return pieces;
};

/** A set of numbers with its minimum, -1 if it is empty: a heap that drops removed numbers when they come up. */
const createLowest = () => {
  const heap: number[] = [];
  const counts = new Map<number, number>();
  const swap = (one: number, other: number): void => {
    const kept = heap[one] ?? 0;
    heap[one] = heap[other] ?? 0;
    heap[other] = kept;
  };
  const sink = (): void => {
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && (heap[left] ?? 0) < (heap[least] ?? 0)) least = left;
      if (right < heap.length && (heap[right] ?? 0) < (heap[least] ?? 0)) least = right;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  const pop = (): void => {
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    sink();
  };
  return {
    add: (value: number): void => {
      counts.set(value, (counts.get(value) ?? 0) + 1);
      heap.push(value);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if ((heap[parent] ?? 0) <= (heap[at] ?? 0)) break;
        swap(parent, at);
        at = parent;
      }
    },
    remove: (value: number): void => void counts.set(value, (counts.get(value) ?? 1) - 1),
    lowest: (): number => {
      while (heap.length > 0 && (counts.get(heap[0] ?? -1) ?? 0) <= 0) pop();
      return heap[0] ?? -1;
    },
  };
};

/** An IPv4 address as a number; -1 if it is not one. */
const ipv4Value = (address: string): number => {
  let [value, part, digits, parts] = [0, 0, 0, 1];
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (code === 46) {
      if (digits === 0 || parts === 4) return -1;
      value = value * 256 + part;
      [part, digits] = [0, 0];
      parts += 1;
      continue;
    }
    if (code < 48 || code > 57 || digits === 3) return -1;
    part = part * 10 + code - 48;
    digits += 1;
    if (part > 255) return -1;
  }
  return digits === 0 || parts !== 4 ? -1 : value * 256 + part;
};
