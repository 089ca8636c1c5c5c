import postgres from "postgres";
import type { Tracer } from "#api/core/tracer.ts";

/** Begins to follow a statement; the function that comes back hears how it ended. */
type QueryWatch = (text: string) => ((hasFailed: boolean) => void) | null;

/** Statistics of a database's statements since counting began. */
export type QueryStats = {
  readonly finished: number;
  /** Statements that the database refused, such as a row that exists already. */
  readonly refused: number;
  /** Statements that got no answer. */
  readonly lost: number;
  /** Time that finished statements took together, waiting included. */
  readonly totalMs: number;
  /** Statements that were asked and have no answer yet. */
  readonly underWay: number;
  /** Counts statements from now on, and follows each one if `watch` is given. Before that, they cost nothing here. */
  count(watch: QueryWatch | null): void;
};

type Settle = (value: unknown) => unknown;
/** What a statement of the driver has besides its types: it settles itself by these two. */
type Settling = { resolve: Settle; reject: Settle };

/** Statistics of the clients that are included, and of their transactions. */
export const createQueryCounter = (): {
  stats: QueryStats;
  include: <C extends postgres.Sql>(client: C) => C;
} => {
  const uncounted: object[] = [];
  const counts = { finished: 0, refused: 0, lost: 0, totalMs: 0, underWay: 0 };
  let watch: QueryWatch | null = null;

  const observe = (statement: Settling, text: string): void => {
    const startedNs = Bun.nanoseconds();
    const told = watch?.(text) ?? null;
    const { resolve, reject } = statement;
    let isOver = false;
    counts.underWay += 1;
    const end = (hasFailed: boolean): void => {
      // A connection that breaks may end its statements twice.
      if (isOver) return;
      isOver = true;
      counts.underWay -= 1;
      counts.finished += 1;
      counts.totalMs += (Bun.nanoseconds() - startedNs) / 1_000_000;
      told?.(hasFailed);
    };
    statement.resolve = (rows) => {
      end(false);
      return resolve(rows);
    };
    statement.reject = (error) => {
      if (error instanceof postgres.PostgresError) counts.refused += 1;
      else counts.lost += 1;
      end(true);
      return reject(error);
    };
  };

  const countOwn = (client: object): void => {
    const { unsafe } = asClient(client);
    asClient(client).unsafe = (text, ...rest) => {
      const statement = unsafe(text, ...rest);
      observe(asSettling(statement), text);
      return statement;
    };
  };

  /** Those of a transaction, or of a savepoint within one, are asked by a client of its own. */
  const countInner = (client: object, opener: "begin" | "savepoint"): void => {
    const open: unknown = Reflect.get(client, opener);
    if (typeof open !== "function") return;
    Reflect.set(client, opener, (...given: unknown[]) =>
      open(
        ...given.map((argument) => {
          if (typeof argument !== "function") return argument;
          return (inner: object) => {
            countOwn(inner);
            countInner(inner, "savepoint");
            return argument(inner);
          };
        }),
      ),
    );
  };

  return {
    stats: {
      get finished() {
        return counts.finished;
      },
      get refused() {
        return counts.refused;
      },
      get lost() {
        return counts.lost;
      },
      get totalMs() {
        return counts.totalMs;
      },
      get underWay() {
        return counts.underWay;
      },
      count: (next) => {
        watch = next;
        for (const client of uncounted.splice(0)) {
          countOwn(client);
          countInner(client, "begin");
        }
      },
    },
    include: (client) => {
      uncounted.push(client);
      return client;
    },
  };
};

/** A client as far as it is counted: the ORM calls nothing else. */
const asClient = (client: object): { unsafe: (text: string, ...rest: unknown[]) => object } =>
  client as { unsafe: (text: string, ...rest: unknown[]) => object };

/** The driver's statements settle by two fields of their own, which its types leave out. */
const asSettling = (statement: object): Settling => statement as Settling;

const mostText = 1_000;
const literals = /'(?:[^']|'')*'?/g;

/** A span for each statement within a trace, by its text with `$1` where values go, and `'?'` for those written into it. */
export const traceQueries =
  (tracer: Tracer): QueryWatch =>
  (text) => {
    const [word = "statement"] = /^\w+/.exec(text.trimStart()) ?? [];
    const span = tracer.begin({
      name: word.toLowerCase(),
      kind: "client",
      attributes: {
        "db.system.name": "postgresql",
        "db.query.text": text.replace(literals, "'?'").slice(0, mostText),
      },
    });
    return span === null ? null : (hasFailed) => span.end(hasFailed ? "failed" : undefined);
  };
