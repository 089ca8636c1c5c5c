// In this repository the types are the SDK's own. A folder that `atrium plugin create` makes has all of them here instead.
export type * from "../../frontend-types.ts";
export type * from "../../native-types.ts";
export type * from "../../types.ts";
