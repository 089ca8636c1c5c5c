import { expect, test } from "bun:test";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, PgTable, pgTable, text, uuid } from "drizzle-orm/pg-core";
import * as schema from "#api/db/schema.ts";
import { notExported, personalData } from "./store.ts";

/** Names of columns that tell of a person. */
const personal = /email|recipient|^user_|_user_|(^|_)ip$|user_agent|phone|_by$/;

const isAboutPeople = (table: PgTable): boolean => {
  const { columns, foreignKeys } = getTableConfig(table);
  const refersToUsers = foreignKeys.some((key) => getTableName(key.reference().foreignTable) === "users");
  return table === schema.users || refersToUsers || columns.some(({ name }) => personal.test(name));
};

/** What the export leaves unsaid of these tables: tables about people, and columns, without a word on why. */
const unexplained = (tables: Record<string, unknown>): string[] =>
  Object.entries(tables).flatMap(([name, table]) => {
    if (!is(table, PgTable)) return [];
    const told = new Map(Object.entries(personalData)).get(name);
    if (!told) return isAboutPeople(table) && !(name in notExported) ? [name] : [];
    const columns = new Map<string, true | string>(Object.entries(told.columns));
    return Object.keys(getTableColumns(table)).flatMap((column) =>
      columns.get(column) ? [] : [`${name}.${column}`],
    );
  });

test("every column about a person is exported, or says why it is not", () => {
  expect(unexplained(schema)).toEqual([]);
});

test("a column that is added to a table with personal data has to be explained", () => {
  const users = pgTable("users", { id: uuid("id").primaryKey(), shoeSize: text("shoe_size") });
  expect(unexplained({ users })).toEqual(["users.shoeSize"]);
});

test.each([
  ["refers to a user", { owner: uuid("owner").references(() => schema.users.id) }],
  ["has an email address", { contactEmail: text("contact_email") }],
  ["has an IP address", { lastIp: text("last_ip") }],
  ["says who did something", { invitedBy: text("invited_by") }],
])("so has a table that is added and %s", (_what, columns) => {
  expect(unexplained({ planted: pgTable("planted", columns) })).toEqual(["planted"]);
  expect(unexplained({ planted: pgTable("planted", { color: text("color") }) })).toEqual([]);
});

test("no reason is given for a table that is gone", () => {
  const known = Object.keys(schema);
  expect(Object.keys({ ...notExported, ...personalData }).filter((name) => !known.includes(name))).toEqual(
    [],
  );
});
