import type { RawUniversalConfig } from "@redocly/openapi-core";

/** The rules that the API's document keeps: all that the linter recommends, as errors, but for these. */
export const lintRules: RawUniversalConfig = {
  extends: ["recommended-strict"],
  rules: {
    // Probes and files of the interface are refused to nobody.
    "operation-4xx-response": "off",
    // Calls that send a browser on work with 302; that each call says what it answers when it works, a test of ours sees.
    "operation-2xx-response": "off",
    "operation-operationId-unique": "error",
    "operation-tag-defined": "error",
    "no-invalid-media-type-examples": "error",
    "no-invalid-schema-examples": "error",
    "no-unused-components": "error",
  },
};
