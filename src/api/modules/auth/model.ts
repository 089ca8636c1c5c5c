import { t } from "elysia";

// Whatever else providers add to the address is theirs to know.
const tolerant = { additionalProperties: true };

const textOf = (maxLength: number, description: string) => t.Optional(t.String({ maxLength, description }));

export const startQuery = t.Object(
  { returnTo: textOf(2_000, "Path on this site to return to; anything else leads to the dashboard") },
  tolerant,
);

export const callbackQuery = t.Object(
  {
    state: textOf(4_000, "The `state` that was sent to the provider"),
    code: textOf(4_000, "The provider's code for the user, valid once"),
    error: textOf(200, "Why the provider refused"),
  },
  tolerant,
);

/** A redirect; programs find its target in the body as well. */
export const redirectAnswer = t.Object(
  { location: t.String() },
  { description: "Continues at `Location`; after any failure that is `/login?error=auth_failed`" },
);
