// In this repository the test kit is the SDK's own. A folder that `atrium plugin create` makes has it here instead.
export * from "#plugins/sdk/testing.ts";
