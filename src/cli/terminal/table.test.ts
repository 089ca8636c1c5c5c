import { describe, expect, test } from "bun:test";
import { activity, activityPage } from "#cli/testing/activity.ts";
import { run, success } from "#cli/testing/run.ts";
import type { Style } from "./output.ts";
import { type Column, formatTable, whole } from "./table.ts";

type Row = { id: string; name: string; note: string };

const plain = (text: string): string => text;
const style = (columns: number | null): Style => ({
  isTerminal: columns !== null,
  columns,
  bold: plain,
  dim: plain,
  green: plain,
  yellow: plain,
  red: (text) => `<${text}>`,
});

const rows: Row[] = [
  { id: "019a9f00-0000-7000-8000-000000000000", name: "Ada Lovelace", note: "a note that takes some time" },
  { id: "019a9f00-0000-7000-8000-000000000001", name: "Eve\u001b[2J", note: "" },
];
const columns: Column<Row>[] = [
  { heading: "ID", cell: ({ id }) => id, least: whole },
  {
    heading: "NAME",
    cell: ({ name }) => name,
    paint: (text, { note }) => (note === "" ? `<${text}>` : text),
  },
  { heading: "NOTE", cell: ({ note }) => note, isSpare: true },
];
const widest = (text: string): number => Math.max(...text.split("\n").map((line) => Bun.stringWidth(line)));

describe("a table on a terminal", () => {
  test("is aligned below its headings while what has to be shown fits, without what is spare", () => {
    const text = formatTable(columns, rows, style(59));
    expect(text.split("\n")[0]).toBe("ID                                    NAME");
    expect(text.split("\n").at(-1)).toBe("Columns that don't fit: NOTE");
    expect(widest(text.replace(/[<>]/g, ""))).toBeLessThanOrEqual(59);
  });

  test("that is narrower than that is a block for each row, with everything whole and what is empty left out", () => {
    expect(formatTable(columns, rows, style(47))).toBe(
      [
        "ID: 019a9f00-0000-7000-8000-000000000000",
        "NAME: Ada Lovelace",
        "NOTE: a note that takes some time",
        "",
        "ID: 019a9f00-0000-7000-8000-000000000001",
        "NAME: <Eve\uFFFD[2J>",
      ].join("\n"),
    );
    expect(formatTable(columns, rows, style(48))).toStartWith("ID     ");
  });

  test("of no known width is as wide as it likes", () => {
    const text = formatTable(columns, rows, { ...style(40), columns: null });
    expect(text).toStartWith("ID     ");
    expect(text).toContain("a note that takes some time");
  });

  test("continues below where a column says so, and every line fits", () => {
    const wrapped = columns.map(({ heading, cell }) => ({ heading, cell, isWrapped: true as const }));
    const lines = formatTable(wrapped, rows.slice(0, 1), style(44)).split("\n");
    const at = lines[0]?.indexOf("NOTE");
    expect(lines.map((line) => line.slice(at))).toEqual(["NOTE", "a note that", "takes some", "time"]);
    expect(lines.join("\n")).toMatch(/^019a9f00-0000.* Ada/m);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(44);
  });
});

test("elsewhere a row is a line with tabs, however long", () => {
  const text = formatTable(columns, rows, { ...style(null), columns: 20 });
  expect(text).toBe(
    `${rows[0]?.id}\tAda Lovelace\ta note that takes some time\n${rows[1]?.id}\tEve\uFFFD[2J\t`,
  );
});

describe("a list on a terminal of 60 columns", () => {
  const answer = () =>
    success(activityPage([activity(7, { action: "Changed a role", description: "bob: user" })]));
  const list = (isTerminal: boolean) => run(["activity", "list"], { answer, isTerminal, columns: 60 });

  test("names each value in a line of its own, and leaves nothing out", async () => {
    const { out } = await list(true);
    const lines = Bun.stripANSI(out).trimEnd().split("\n");
    expect(lines).toContain("ACTION: Changed a role");
    expect(lines).toContain("DESCRIPTION: bob: user");
    expect(lines).toContain("ID: 7");
    expect(out).not.toContain("Columns that don't fit");
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(60);
  });

  test("is the same as ever in a pipe", async () => {
    const { out } = await list(false);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(out).toContain("\tChanged a role\tbob: user\t");
  });
});
