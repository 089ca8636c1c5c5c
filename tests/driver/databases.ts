import { findPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";

/** A place to keep data: the environment that makes a server use it, and the way to be rid of it. */
export type DataPlace = {
  name: "embedded" | "postgres";
  env(): Promise<Record<string, string>>;
  close(): void;
};

/** Each kind of database that is there: the embedded one always, PostgreSQL (synced to disk) where it is installed. */
export const dataPlaces = (): DataPlace[] => {
  const embedded: DataPlace = { name: "embedded", env: async () => ({}), close: () => {} };
  return findPostgres() === null ? [embedded] : [embedded, durablePostgres()];
};

const durablePostgres = (): DataPlace => {
  let server: PostgresServer | null = null;
  return {
    name: "postgres",
    env: async () => {
      server ??= await startPostgres({ durable: true });
      return { DATABASE_URL: await server.createDatabase() };
    },
    close: () => server?.stop(),
  };
};
