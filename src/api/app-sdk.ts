/**
 * `#app`: what own features are made of. Nothing here loads the server, since the command line reads declarations at each start;
 * tables are in `#app/db`.
 */
export { noteActivity as recordActivity } from "#api/core/activity.ts";
export { requireAdmin, requireUser } from "#api/core/actor.ts";
export { adminAction } from "#api/core/admin-action.ts";
export { AppError, validationError } from "#api/core/app-error.ts";
export type { Context } from "#api/core/context.ts";
export { csvRecord } from "#api/core/csv.ts";
export { loggedPieces as sentPieces } from "#api/core/describe-error.ts";
export { defineServer } from "#api/core/feature-server.ts";
export { isId, newId } from "#api/core/ids.ts";
export type { Download } from "#api/modules/download.ts";
export type { Kit } from "#api/modules/kit.ts";
export { type AnyFeature, defineFeature } from "#contract/define-feature.ts";
export type { AnswerOf, InputOf } from "#contract/operation.ts";
export { ownOperation as operation } from "#contract/own-operation.ts";
export {
  type FeatureFields,
  fieldColumns,
  fieldSchemas,
  namesOf,
} from "./contract/define-feature.ts";
export { rowPages } from "./core/database.ts";
export { settingsOf } from "./core/feature-server.ts";
