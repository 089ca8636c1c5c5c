import { expect, test } from "bun:test";
import { describeConfig } from "./describe-config.ts";
import { variables } from "./variables.ts";

const rowsOf = (env: Record<string, string>) =>
  new Map(describeConfig(env).map((row) => [row.variable, row]));

test("there is one row for each variable, with where its value comes from", () => {
  const rows = rowsOf({ PORT: "8080", APP_URL: "https://atrium.example" });
  expect([...rows.keys()]).toEqual(Object.values(variables).map(({ name }) => name));
  expect(rows.get("PORT")).toEqual({ variable: "PORT", value: "8080", source: "environment", problem: null });
  expect(rows.get("HOST")).toEqual({
    variable: "HOST",
    value: "127.0.0.1",
    source: "default",
    problem: null,
  });
});

test("defaults that follow from other variables are shown as what they came to", () => {
  const rows = rowsOf({ PORT: "8080" });
  expect(rows.get("APP_URL")?.value).toBe("http://localhost:8080");
  expect(rowsOf({ APP_URL: "https://atrium.example" }).get("MAIL_FROM")?.value).toBe(
    "Atrium <no-reply@atrium.example>",
  );
});

test("secrets and passwords are masked, hosts are not", () => {
  const rows = rowsOf({
    APP_SECRET: "q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0CaEuTi",
    DATABASE_URL: "postgres://ada:s3cretpw@db.example/atrium?sslpassword=s3cretpw",
    REDIS_URL: "redis://:s3cretpw@cache.example",
    SMTP_URL: "smtp://s3cretpw@mail.example",
  });
  expect(JSON.stringify([...rows.values()])).not.toMatch(/s3cretpw|q7Yt2k/);
  expect(rows.get("DATABASE_URL")?.value).toBe("postgres://ada:***@db.example/atrium?sslpassword=***");
  expect(rows.get("APP_SECRET")?.value).toBe("*** (36 bytes)");
  const values = (url: string) => rowsOf({ DATABASE_URL: url }).get("DATABASE_URL")?.value;
  expect(values("postgres://db/atrium?sslmode=require&options=hunter2")).toBe(
    "postgres://db/atrium?sslmode=require&options=***",
  );
  expect(values("postgres://ada:hun%ter2@db/atrium")).toBe("postgres://***");
});

test("an unusable environment is still described, and the rows at fault say what was expected", () => {
  const rows = rowsOf({ PORT: "http", APP_SECRET: "short" });
  expect(rows.get("PORT")).toMatchObject({ value: "http", problem: expect.stringContaining("0 to 65535") });
  expect(rows.get("APP_SECRET")?.value).toBe("*** (5 bytes)");
  expect(rows.get("APP_URL")?.value).toBe("http://localhost:<port>");
});
