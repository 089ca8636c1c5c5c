import { Kind, type TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError } from "#api/core/app-error.ts";
import type { BodyCheck } from "#api/door/passage.ts";
import { complaintsOf } from "./errors.ts";

/**
 * The check of a route's body; `null` for a route that declares none. Bodies are checked here although Elysia would do
 * it too: to explain what is wrong it prints the whole body, which takes long for a large one and throws for an object
 * whose `toString` is no function.
 */
export const createBodyCheck = (declared: unknown): BodyCheck | null => {
  if (!isSchema(declared)) return null;
  let compiled: TypeCheck<TSchema> | undefined;
  return (body) => {
    compiled ??= TypeCompiler.Compile(declared);
    if (compiled.Check(body)) return;
    throw new AppError("VALIDATION_FAILED", undefined, { errors: complaintsOf(compiled.Errors(body)) });
  };
};

/** By its mark: to look through all of it, as the library would, takes a start longer than the rest of its routes. */
const isSchema = (value: unknown): value is TSchema =>
  typeof value === "object" && value !== null && Kind in value;
