import type { FeatureFields } from "#app";

/** What is kept of a note. */
export const noteFields = {
  title: { kind: "text", label: "Title", isRequired: true },
  body: { kind: "long", label: "Body" },
  due: { kind: "date", label: "Due" },
} as const satisfies FeatureFields;
