import { t } from "elysia";

// Whatever else providers add to the address is theirs to know.
const tolerant = { additionalProperties: true };

const textOf = (maxLength: number, description: string) => t.Optional(t.String({ maxLength, description }));

export const startQuery = t.Object(
  { returnTo: textOf(2_000, "Path on this site to come back to; anything else leads to the dashboard") },
  tolerant,
);

export const callbackQuery = t.Object(
  {
    state: textOf(4_000, "What the provider was sent"),
    code: textOf(4_000, "What the provider knows the person by, once"),
    error: textOf(200, "Why the provider sends nobody"),
  },
  tolerant,
);

/** A redirect; programs find its target in the body as well. */
export const redirectAnswer = t.Object(
  { location: t.String() },
  { description: "The way goes on at `Location`; after any failure that is `/login?error=auth_failed`" },
);
