import type { UrlParts } from "./natives.ts";
import type { NativesInVm } from "./natives-in-vm.ts";

/**
 * Gives the interpreter `URL` and `URLSearchParams`, whose rules are applied outside. The text of this function is
 * evaluated in the interpreter: it uses nothing from outside itself.
 */
export const installUrl = (natives: NativesInVm): void => {
  const { parse, stringify } = JSON;
  const native = (name: string, ...args: unknown[]) => parse(natives.text(name, stringify(args)));
  type Pair = [string, string];

  const pairsOf = (init: unknown): Pair[] => {
    if (init === undefined || init === null) return [];
    if (typeof init !== "object") return native("parseParams", String(init));
    if (!(Symbol.iterator in init)) return Object.entries(init).map(([key, value]) => [key, String(value)]);
    return Array.from(init as Iterable<unknown[]>, (pair) => {
      const [key, value, ...more] = pair;
      if (value === undefined || more.length > 0) throw new TypeError("Each pair must be a name and a value");
      return [String(key), String(value)];
    });
  };

  class SearchParams {
    #pairs: Pair[];
    #onChange: ((text: string) => void) | undefined;

    constructor(init?: unknown) {
      this.#pairs = pairsOf(init);
    }
    /** Has the address follow each change. */
    static watched(text: string, onChange: (text: string) => void): SearchParams {
      const params = new SearchParams(text);
      params.#onChange = onChange;
      return params;
    }
    static refill(params: SearchParams, text: string): void {
      params.#pairs = pairsOf(text);
    }
    #replace(pairs: Pair[]): void {
      this.#pairs = pairs;
      this.#onChange?.(this.toString());
    }
    get size(): number {
      return this.#pairs.length;
    }
    append(name: unknown, value: unknown): void {
      this.#replace([...this.#pairs, [String(name), String(value)]]);
    }
    delete(name: unknown, value?: unknown): void {
      const isMeant = (pair: Pair) =>
        pair[0] === String(name) && (value === undefined || pair[1] === String(value));
      this.#replace(this.#pairs.filter((pair) => !isMeant(pair)));
    }
    get(name: unknown): string | null {
      return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
    }
    getAll(name: unknown): string[] {
      return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
    }
    has(name: unknown, value?: unknown): boolean {
      const values = this.getAll(name);
      return value === undefined ? values.length > 0 : values.includes(String(value));
    }
    set(name: unknown, value: unknown): void {
      const key = String(name);
      const at = this.#pairs.findIndex((pair) => pair[0] === key);
      if (at < 0) {
        this.append(key, value);
        return;
      }
      const isKept = (pair: Pair, index: number) => index === at || pair[0] !== key;
      const kept = this.#pairs.filter(isKept);
      this.#replace(kept.map((pair): Pair => (pair[0] === key ? [key, String(value)] : pair)));
    }
    sort(): void {
      const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));
      this.#replace(this.#pairs.toSorted((a, b) => order(a[0], b[0])));
    }
    forEach(visit: (value: string, name: string, params: SearchParams) => void): void {
      for (const [key, value] of this.#pairs) visit(value, key, this);
    }
    *entries(): Generator<Pair> {
      for (const [key, value] of this.#pairs) yield [key, value];
    }
    *keys(): Generator<string> {
      for (const [key] of this.#pairs) yield key;
    }
    *values(): Generator<string> {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator](): Generator<Pair> {
      return this.entries();
    }
    toString(): string {
      return native("writeParams", this.#pairs);
    }
  }
  const { refill, watched } = SearchParams;
  Reflect.deleteProperty(SearchParams, "refill");
  Reflect.deleteProperty(SearchParams, "watched");

  class Address {
    #parts: UrlParts;
    #params: SearchParams | undefined;

    constructor(href: unknown, base?: unknown) {
      this.#parts = native("parseUrl", String(href), base === undefined ? null : String(base));
    }
    static parse(href: unknown, base?: unknown): Address | null {
      try {
        return new Address(href, base);
      } catch {
        return null;
      }
    }
    static canParse(href: unknown, base?: unknown): boolean {
      return Address.parse(href, base) !== null;
    }
    static part(address: Address, part: keyof UrlParts): string {
      return address.#parts[part];
    }
    static change(address: Address, part: keyof UrlParts, value: unknown): void {
      address.#parts = native("changeUrl", address.#parts.href, part, String(value));
      if (address.#params !== undefined) refill(address.#params, address.#parts.search);
    }
    get searchParams(): SearchParams {
      this.#params ??= watched(this.#parts.search, (text) => {
        this.#parts = native("changeUrl", this.#parts.href, "search", text);
      });
      return this.#params;
    }
    toString(): string {
      return this.#parts.href;
    }
    toJSON(): string {
      return this.#parts.href;
    }
  }
  const { part, change } = Address;
  Reflect.deleteProperty(Address, "part");
  Reflect.deleteProperty(Address, "change");
  const settable = ["href", "protocol", "username", "password", "host", "hostname", "port"] as const;
  for (const name of [...settable, "pathname", "search", "hash", "origin"] as const) {
    Object.defineProperty(Address.prototype, name, {
      get(this: Address) {
        return part(this, name);
      },
      set(this: Address, value: unknown) {
        if (name !== "origin") change(this, name, value);
      },
      configurable: true,
      enumerable: true,
    });
  }

  for (const [name, value] of Object.entries({ URL: Address, URLSearchParams: SearchParams })) {
    Object.defineProperty(value, "name", { value: name });
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
};
