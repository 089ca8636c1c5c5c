import { describe, expect, test } from "bun:test";
import { createLogger } from "./logger.ts";

const logged = (format: "pretty" | "json", level: "debug" | "warn" = "debug") => {
  const written: string[] = [];
  const log = createLogger({ level, format, write: (lines) => written.push(lines) });
  return { log, written };
};

describe("the log", () => {
  test("is one JSON line an entry, whatever its values hold", () => {
    const { log, written } = logged("json");
    log.info("request", { userAgent: 'a"\n\u001b[31m\u202e', ms: 1.5 });
    log.flush();
    const lines = written.join("").trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "info", message: "request", ms: 1.5 });
  });
  test("lets no control or direction character of a value reach the terminal", () => {
    const { log, written } = logged("pretty");
    log.info("request", { userAgent: "a\n\u001b[31m\u202eb" });
    log.flush();
    const value = written.join("").split("userAgent=")[1] ?? "";
    expect(value).toContain("\\u001b[31m\\u202eb");
    expect(value.trimEnd()).not.toContain("\n");
  });
  test("L5: has nothing in a JSON line that steers a terminal or begins another line for its reader", () => {
    const { log, written } = logged("json");
    const text = "a\u009b31m\u007f\u202eb\u2028c\u2029\u200e\u2066d é 日本 👩🏽‍💻";
    log.info(text, { [text]: text });
    log.flush();
    const line = written.join("").trimEnd();
    expect(line).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u);
    expect(JSON.parse(line)).toMatchObject({ message: text, [text]: text });
  });
  test("leaves out what is below its level, and writes warnings immediately", () => {
    const { log, written } = logged("json", "warn");
    log.info("no");
    log.flush();
    expect(written).toEqual([]);
    log.warn("yes");
    expect(written.join("")).toContain('"yes"');
  });
});
