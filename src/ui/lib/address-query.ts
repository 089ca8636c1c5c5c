import { useSearchParams } from "wouter";

/** A part of what a page shows, as it stands in the address. */
export type Param<T> = {
  /** What is meant by the text; one that makes no sense counts as not given, as `null` does. */
  read: (text: string | null) => T;
  /** The text; `null` for what is at its default, so that the plain address stays plain. */
  write: (value: T) => string | null;
  /** What it is called in the address, unless as in the query. */
  name?: string;
};

/** The text if it is one of the known ones, else `null`. */
export const oneOf = <T extends string>(known: readonly T[], text: string | null): T | null =>
  known.find((value) => value === text) ?? null;

/** One of several, or `standard`. */
export const choice = <T extends string, Standard extends string | null>(
  known: readonly T[],
  standard: Standard,
): Param<T | Standard> => ({
  read: (text) => oneOf(known, text) ?? standard,
  write: (value) => (value === standard ? null : value),
});

/** A text without space around it, of at most `maxLength` characters; empty for none. */
export const textParam = (maxLength = Number.POSITIVE_INFINITY): Param<string> => ({
  read: (text) => (text ?? "").trim().slice(0, maxLength),
  write: (text) => (text === "" ? null : text),
});

/** What is open, by its id. */
export const idParam: Param<string | null> = { read: (id) => id, write: (id) => id };

// Beyond any list that can be paged through, and within what the server takes as an offset.
const lastPage = 10_000_000;

/** A page of a list, from 1 to ten million. */
export const pageParam: Param<number> = {
  read: (text) => {
    const page = Number(text ?? 1);
    return Number.isInteger(page) && page > 0 && page <= lastPage ? page : 1;
  },
  write: (page) => (page > 1 ? String(page) : null),
};

/** What a page shows, read from its address and written for it. */
export type AddressQuery<Query> = {
  read: (address: URLSearchParams) => Query;
  write: (query: Query) => URLSearchParams;
};

/** The query with these parts, written in this order. */
export const addressQuery = <Query extends object>(
  params: {
    [Name in keyof Query]: Param<Query[Name]>;
  },
): AddressQuery<Query> => {
  // Object.keys forgets its keys' type; the record has these and no others.
  const names = Object.keys(params) as (keyof Query & string)[];
  const nameOf = (name: keyof Query & string) => params[name].name ?? name;
  return {
    read: (address) =>
      // Each part is of its param's type.
      Object.fromEntries(names.map((name) => [name, params[name].read(address.get(nameOf(name)))])) as Query,
    write: (query) => {
      const texts = names.map((name) => [nameOf(name), params[name].write(query[name])] as const);
      return new URLSearchParams(texts.flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
    },
  };
};

/** How something else is shown: as a step of its own for Back, or as part of the one before. */
export type Step = "step" | "same-step";

/** What the page shows, and the way to show something else. */
export const useAddressQuery = <Query extends object>({ read, write }: AddressQuery<Query>) => {
  const [address, setAddress] = useSearchParams();
  const show = (change: Partial<Query>, how: Step) =>
    // What is in the address by then counts: a search waits for a pause in typing.
    setAddress((now) => write({ ...read(now), ...change }), { replace: how === "same-step" });
  return [read(address), show] as const;
};
