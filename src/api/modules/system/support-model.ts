import { t } from "elysia";

const part = t.Object({
  rows: t.Array(t.Record(t.String(), t.Unknown())),
  problem: t.Nullable(t.String({ description: "Why it could not be read" })),
});

export const supportSchema = t.Object({
  tables: part,
  server: part,
  migrations: part,
  settings: part,
  secrets: part,
  plugins: part,
  mails: part,
  activity: part,
});
