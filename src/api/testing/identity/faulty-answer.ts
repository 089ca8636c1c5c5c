import type { TokenFault } from "./mock-person.ts";

const tokenLike = { access_token: "never-to-be-used", token_type: "Bearer" };

/** The answer of a token endpoint that fails in this way. */
export const faultyAnswer = (fault: TokenFault): Response | Promise<Response> => {
  switch (fault) {
    case "status-500":
      return Response.json(tokenLike, { status: 500 });
    case "silent":
      return new Promise(() => {});
    case "dripping":
      return new Response(dripping());
    case "huge":
      return Response.json({ ...tokenLike, padding: "x".repeat(10_000_000) });
    case "redirect":
      return Response.redirect("http://127.0.0.1:9/elsewhere", 307);
    case "not-json":
      return new Response("<html>", { headers: { "content-type": "text/html" } });
    case "not-an-object":
      return Response.json(null);
    case "refused":
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    case "error-with-200":
      return Response.json({ error: "bad_verification_code" });
  }
};

/** Never ends, and never pauses long enough for a limit on silence. */
const dripping = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      await Bun.sleep(50);
      controller.enqueue(new TextEncoder().encode(" "));
    },
  });
