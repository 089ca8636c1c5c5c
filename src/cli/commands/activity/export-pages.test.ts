import { describe, expect, test } from "bun:test";
import { type ExportFormat, exportPages } from "./activity-export.ts";

const head = "id,timestamp,action\r\n";
const csvLine = (id: number) => `${id},2026-11-20,"Jürgen, ""1,2"""\r\n`;
const jsonLine = (id: number) => `{"id":${id},"action":"7,Jürgen"}\n`;
const forms = { csv: { head, line: csvLine }, ndjson: { head: "", line: jsonLine } };

/** An API with the records 1 to `total`, whose pages of 3 come in chunks of `size` bytes. */
const source = (format: ExportFormat, total: number, size: number) => {
  const asked: (number | null)[] = [];
  const open = async (before: number | null) => {
    asked.push(before);
    const newest = Math.min(total, (before ?? Number.POSITIVE_INFINITY) - 1);
    const ids = Array.from({ length: Math.min(3, newest) }, (_, at) => newest - at);
    const bytes = new TextEncoder().encode(forms[format].head + ids.map(forms[format].line).join(""));
    return (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })();
  };
  return { asked, open };
};

const read = async (
  format: ExportFormat,
  { total, size, isAll = true }: { total: number; size: number; isAll?: boolean },
) => {
  const { asked, open } = source(format, total, size);
  let rows = 0;
  const onRows = (count: number) => {
    rows = count;
  };
  const chunks = await Array.fromAsync(exportPages({ format, pageRows: 3, isAll, open, onRows }));
  return { text: Buffer.concat(chunks).toString(), asked, rows };
};

const whole = (format: ExportFormat, total: number): string =>
  forms[format].head + Array.from({ length: total }, (_, at) => forms[format].line(total - at)).join("");

describe.each(["csv", "ndjson"] as const)("an export as %s, page by page", (format) => {
  test.each([1, 2, 7, 1_000])("is one file without gap or double, in chunks of %d bytes", async (size) => {
    for (const total of [0, 1, 2, 3, 4, 6, 7, 12]) {
      const { text, rows } = await read(format, { total, size });
      expect(text).toBe(whole(format, total));
      expect(rows).toBe(total);
    }
  });

  test("asks for what is older than the last record, until a page is not whole", async () => {
    expect((await read(format, { total: 7, size: 10 })).asked).toEqual([null, 5, 2]);
    expect((await read(format, { total: 12, size: 10 })).asked).toEqual([null, 10, 7, 4, 1]);
  });

  test("is the first page alone unless all are wanted", async () => {
    const { text, asked, rows } = await read(format, { total: 7, size: 10, isAll: false });
    expect([asked, rows]).toEqual([[null], 3]);
    expect(text).toBe(forms[format].head + [7, 6, 5].map(forms[format].line).join(""));
  });

  test("ends with a failure where the numbers do not fall, instead of going round", async () => {
    const { open } = source(format, 3, 100);
    const pages = exportPages({ format, pageRows: 3, isAll: true, open: () => open(null), onRows: () => {} });
    await expect(Array.fromAsync(pages)).rejects.toThrow("cannot continue");
  });
});
