import { describe, expect, test } from "bun:test";
import { fileComplaint, megabytes } from "./use-upload.ts";

describe("a chosen file", () => {
  test("is none, is no package, or is too large: each in its own words", () => {
    expect(fileComplaint(null)).toBe("Please select a plugin file");
    expect(fileComplaint({ name: "notes.txt", size: 5 })).toBe("Only .zip files are accepted");
    expect(fileComplaint({ name: "notes.zip", size: 20_000_001 })).toBe("The file is larger than 20 MB");
    expect(fileComplaint({ name: "Notes.ZIP", size: 20_000_000 })).toBeNull();
  });

  test("has its size told in MB, however small it is", () => {
    expect([1_240_000, 20_000_000, 12].map((bytes) => megabytes(bytes, "en"))).toEqual([
      "1.24 MB",
      "20.00 MB",
      "0.01 MB",
    ]);
  });
});
